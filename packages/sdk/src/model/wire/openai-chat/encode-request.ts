import type { ModelRequest, ModelTool } from "../../port.ts";
import type { Dialect } from "../shared/endpoint.ts";
import { createHeadCache } from "../shared/head-cache.ts";
import { createJoinedHistory } from "../shared/joined-history.ts";
import { createMessageCache } from "../shared/message-cache.ts";
import { isReasoningModel, openaiEffort } from "../shared/openai-effort.ts";
import { answerFormat, functionOf, isStrict } from "../shared/openai-tools.ts";
import type { EncodedRequest, WireFormat } from "../shared/wire-format.ts";
import { type ChatAudience, encodeMessage } from "./encode-message.ts";

const COMMA = Buffer.from(",");
const END = Buffer.from("]}");
const NO_HEADERS = {};

/** Encodes requests of chat completions: the bytes of what was sent before stay the same at the front. */
export function createEncoder(model: string, audience: ChatAudience): WireFormat["encode"] {
  const messages = createMessageCache((message, files) => encodeMessage(message, files, audience));
  const join = createJoinedHistory();
  const heads = createHeadCache((request) => encodeHead(request, model, audience.dialect));

  function assemble(request: ModelRequest, forms: readonly Buffer[]): EncodedRequest {
    const body: Uint8Array[] = [heads(request)];
    let isFirst = request.system.length === 0;
    const add = (piece: Buffer): void => {
      if (piece.byteLength === 0) return;
      if (!isFirst) body.push(COMMA);
      body.push(piece);
      isFirst = false;
    };
    for (const form of forms) add(form);
    const history = body.splice(0);
    const reminders = request.tail.filter((text) => text.trim() !== "").join("\n\n");
    if (reminders !== "") add(Buffer.from(JSON.stringify({ role: "user", content: reminders })));
    body.push(END);
    return { headers: NO_HEADERS, body: [join(request.messages, history), ...body] };
  }

  return (request, load) => {
    const forms = messages.all(request.messages, load);
    return forms instanceof Promise
      ? forms.then((loaded) => assemble(request, loaded))
      : assemble(request, forms);
  };
}

function encodeHead(request: ModelRequest, model: string, dialect: Dialect): Uint8Array {
  const { system, tools, maxOutputTokens } = request;
  const effort = !dialect.openai || isReasoningModel(model) ? openaiEffort(request, model) : undefined;
  const format = answerFormat(request);
  const limit = dialect.openai ? "max_completion_tokens" : "max_tokens";
  const head = {
    model,
    stream: true,
    stream_options: { include_usage: true },
    ...(maxOutputTokens === undefined ? {} : { [limit]: maxOutputTokens }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(format === undefined ? {} : { response_format: { type: "json_schema", json_schema: format } }),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => encodeTool(tool, dialect)) }),
  };
  const first = system.length === 0 ? "" : JSON.stringify({ role: "system", content: system.join("\n\n") });
  return Buffer.from(`${JSON.stringify(head).slice(0, -1)},"messages":[${first}`);
}

function encodeTool(tool: ModelTool, dialect: Dialect): object {
  const strict = dialect.strictTools && isStrict(tool) ? { strict: true } : {};
  return { type: "function", function: { ...functionOf(tool), ...strict } };
}
