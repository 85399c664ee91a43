import type { ModelRequest, ModelTool } from "../../port.ts";
import { createHeadCache } from "../shared/head-cache.ts";
import { createJoinedHistory } from "../shared/joined-history.ts";
import { wireJson } from "../shared/json.ts";
import { createMessageCache } from "../shared/message-cache.ts";
import type { EncodedRequest, WireFormat } from "../shared/wire-format.ts";
import { betaHeaders } from "./betas.ts";
import { type EncodedMessage, encodeMessage, type MessageAudience } from "./encode-message.ts";
import { requestSettings } from "./settings.ts";
import { type AnthropicTraits, anthropicTraits } from "./traits.ts";

const MARK = { cache_control: { type: "ephemeral" } } as const;
const MARK_END = Buffer.from(`,${JSON.stringify(MARK).slice(1)}`);
const COMMA = Buffer.from(",");
const END = Buffer.from("]}]}");
const EMPTY_END = Buffer.from("]}");
const OPEN = {
  user: Buffer.from('{"role":"user","content":['),
  assistant: Buffer.from('{"role":"assistant","content":['),
};
const TURN = {
  user: Buffer.from(']},{"role":"user","content":['),
  assistant: Buffer.from(']},{"role":"assistant","content":['),
};

/**
 * Encodes requests so that from turn to turn all but the end stays the same bytes. Marks for the cache: behind the last
 * built-in tool, on the last system block, on the last block of the history. Reminders stand behind the last mark.
 */
export function createEncoder(audience: MessageAudience): WireFormat["encode"] {
  const messages = createMessageCache((message, files) => encodeMessage(message, files, audience));
  const join = createJoinedHistory();
  const { model } = audience;
  const traits = anthropicTraits(model);
  const heads = createHeadCache((request) => encodeHead(request, model, traits, true));
  const quietHeads = createHeadCache((request) => encodeHead(request, model, traits, false));

  function assemble(request: ModelRequest, forms: readonly EncodedMessage[]): EncodedRequest {
    const sent = forms.filter((form) => form.blocks.byteLength > 0);
    const mayThink = thinkingFits(sent);
    const head = (mayThink ? heads : quietHeads)(request);
    const history = joinMessages(sent);
    // The last message holds the mark now and will not at the next request.
    const moving = history.splice(-3);
    return {
      headers: betaHeaders(request, traits),
      body: [join(request.messages, [head, ...history]), ...moving, ...tail(request.tail, sent.at(-1))],
    };
  }

  return (request, load) => {
    const forms = messages.all(request.messages, load);
    return forms instanceof Promise
      ? forms.then((loaded) => assemble(request, loaded))
      : assemble(request, forms);
  };
}

/**
 * A model that thinks by budget must find its thoughts at the start of the round that is open. Where they are not
 * there (another model began the round) this request goes without thinking.
 */
function thinkingFits(sent: readonly EncodedMessage[]): boolean {
  const last = sent.findLast((form) => form.role === "assistant");
  return last === undefined || last.thinks || !last.calls;
}

function encodeHead(
  request: ModelRequest,
  model: string,
  traits: AnthropicTraits,
  mayThink: boolean,
): Uint8Array {
  const { system, tools, builtinTools } = request;
  const head = {
    model,
    stream: true,
    ...requestSettings(request, traits, mayThink),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool, i) => encodeTool(tool, i === builtinTools - 1)) }),
    ...encodeSystem(system),
  };
  return Buffer.from(`${wireJson(head).slice(0, -1)},"messages":[`);
}

function encodeTool(
  { name, description, inputSchema, strict, deferred }: ModelTool,
  marked: boolean,
): object {
  return {
    name,
    description,
    input_schema: { type: "object", ...inputSchema },
    ...(strict === true ? { strict } : {}),
    ...(deferred === true ? { defer_loading: true } : {}),
    ...(marked && deferred !== true ? MARK : {}),
  };
}

/** Blocks of white space are refused. */
function encodeSystem(system: readonly string[]): { readonly system?: readonly object[] } {
  const texts = system.filter((text) => text.trim() !== "");
  const blocks = texts.map((text, i) => ({ type: "text", text, ...(i === texts.length - 1 ? MARK : {}) }));
  return blocks.length === 0 ? {} : { system: blocks };
}

/** The history, open at its end: the mark takes the place of the closing brace of its last block. */
function joinMessages(sent: readonly EncodedMessage[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let role: EncodedMessage["role"] | undefined;
  for (const [i, form] of sent.entries()) {
    const before = role === undefined ? OPEN[form.role] : role === form.role ? COMMA : TURN[form.role];
    if (i < sent.length - 1) pieces.push(before, form.blocks);
    else pieces.push(before, form.blocks.subarray(0, -1), MARK_END);
    role = form.role;
  }
  return pieces;
}

/** What follows the history: reminders, and the end. */
function tail(reminders: readonly string[], last: EncodedMessage | undefined): readonly Uint8Array[] {
  const blocks = reminders.filter((text) => text.trim() !== "").map((text) => ({ type: "text", text }));
  if (blocks.length === 0) return [last === undefined ? EMPTY_END : END];
  const before = last === undefined ? OPEN.user : last.role === "assistant" ? TURN.user : COMMA;
  return [before, Buffer.from(blocks.map((block) => wireJson(block)).join(",")), END];
}
