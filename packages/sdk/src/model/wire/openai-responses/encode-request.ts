import type { ModelRequest, ModelTool } from "../../port.ts";
import { createHeadCache } from "../shared/head-cache.ts";
import { createJoinedHistory } from "../shared/joined-history.ts";
import { createMessageCache } from "../shared/message-cache.ts";
import { isReasoningModel, openaiEffort } from "../shared/openai-effort.ts";
import { answerFormat, functionOf, isStrict } from "../shared/openai-tools.ts";
import type { EncodedRequest, WireFormat } from "../shared/wire-format.ts";
import { encodeMessage, type ResponsesAudience } from "./encode-message.ts";

const COMMA = Buffer.from(",");
const END = Buffer.from("]}");
const NO_HEADERS = {};

/** Encodes requests of the Responses API. Nothing is stored at the provider: each request holds the whole history. */
export function createEncoder(audience: ResponsesAudience): WireFormat["encode"] {
  const messages = createMessageCache((message, files) => encodeMessage(message, files, audience));
  const join = createJoinedHistory();
  const heads = createHeadCache((request) => encodeHead(request, audience.model));

  function assemble(request: ModelRequest, forms: readonly Buffer[]): EncodedRequest {
    const body: Uint8Array[] = [heads(request)];
    let isFirst = true;
    const add = (piece: Buffer): void => {
      if (piece.byteLength === 0) return;
      if (!isFirst) body.push(COMMA);
      body.push(piece);
      isFirst = false;
    };
    for (const form of forms) add(form);
    const history = body.splice(0);
    const reminders = request.tail.filter((text) => text.trim() !== "");
    if (reminders.length > 0) {
      const content = reminders.map((text) => ({ type: "input_text", text }));
      add(Buffer.from(JSON.stringify({ type: "message", role: "user", content })));
    }
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

function encodeHead(request: ModelRequest, model: string): Uint8Array {
  const { system, tools, maxOutputTokens } = request;
  const format = answerFormat(request);
  const head = {
    model,
    stream: true,
    store: false,
    ...(isReasoningModel(model) ? reasoning(request, model) : {}),
    ...(maxOutputTokens === undefined ? {} : { max_output_tokens: maxOutputTokens }),
    ...(format === undefined ? {} : { text: { format: { type: "json_schema", ...format } } }),
    ...(tools.length === 0 ? {} : { tools: tools.map(encodeTool) }),
    ...(system.length === 0 ? {} : { instructions: system.join("\n\n") }),
  };
  return Buffer.from(`${JSON.stringify(head).slice(0, -1)},"input":[`);
}

/** Summaries only on request: some accounts may not ask for them. */
function reasoning(request: ModelRequest, model: string): object {
  const effort = openaiEffort(request, model);
  const summarised = request.thinking !== undefined && request.thinking.type !== "disabled";
  const settings = {
    ...(effort === undefined ? {} : { effort }),
    ...(summarised ? { summary: "auto" } : {}),
  };
  return {
    include: ["reasoning.encrypted_content"],
    ...(Object.keys(settings).length === 0 ? {} : { reasoning: settings }),
  };
}

/** Here `strict` is on unless it is switched off. */
function encodeTool(tool: ModelTool): object {
  return { type: "function", ...functionOf(tool), strict: isStrict(tool) };
}
