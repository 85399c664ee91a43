import type { Message } from "../../../protocol/index.ts";
import type { ModelRequest } from "../../port.ts";
import type { LoadedFiles } from "./files.ts";
import { createHeadCache } from "./head-cache.ts";
import { createJoinedHistory } from "./joined-history.ts";
import { wireJson } from "./json.ts";
import { createMessageCache } from "./message-cache.ts";
import type { EncodedRequest, WireFormat } from "./wire-format.ts";

const COMMA = Buffer.from(",");
const END = Buffer.from("]}");
const NO_HEADERS = {};
const OPEN_LIST = 0x5b;

/** What differs between the two formats of OpenAI. */
export interface OpenAIParts {
  /** All before the history, up to the place in its list where that goes on. */
  head(request: ModelRequest): string;
  /** One message as list items, joined by commas; empty where nothing can be sent. */
  message(message: Message, files: LoadedFiles): Buffer;
  /** Reminders as one item. */
  tail(texts: readonly string[]): object;
}

/** Encodes requests whose history is the last thing in them: what was sent before stays the same bytes at the front. */
export function createOpenAIEncoder(parts: OpenAIParts): WireFormat["encode"] {
  const messages = createMessageCache(parts.message);
  const join = createJoinedHistory();
  const heads = createHeadCache((request) => Buffer.from(parts.head(request)));

  function assemble(request: ModelRequest, forms: readonly Buffer[]): EncodedRequest {
    const head = heads(request);
    const history: Uint8Array[] = [head];
    let isFirst = head.at(-1) === OPEN_LIST;
    for (const form of forms) {
      if (form.byteLength === 0) continue;
      if (!isFirst) history.push(COMMA);
      history.push(form);
      isFirst = false;
    }
    const reminders = request.tail.filter((text) => text.trim() !== "");
    const before = isFirst ? "" : ",";
    const behind = reminders.length === 0 ? [] : [Buffer.from(`${before}${wireJson(parts.tail(reminders))}`)];
    return { headers: NO_HEADERS, body: [join(request.messages, history), ...behind, END] };
  }

  return (request, load) => {
    const forms = messages.all(request.messages, load);
    return forms instanceof Promise
      ? forms.then((loaded) => assemble(request, loaded))
      : assemble(request, forms);
  };
}
