import type { ModelRequest, ModelTool } from "../../port.ts";
import { wireJson } from "../shared/json.ts";
import { isReasoningModel, openaiEffort } from "../shared/openai-effort.ts";
import { createOpenAIEncoder } from "../shared/openai-request.ts";
import { answerFormat, functionOf, isStrict } from "../shared/openai-tools.ts";
import type { WireFormat } from "../shared/wire-format.ts";
import { encodeMessage, type ResponsesAudience } from "./encode-message.ts";

/** Encodes requests of the Responses API. Nothing is stored at the provider: each request holds the whole history. */
export function createEncoder(audience: ResponsesAudience): WireFormat["encode"] {
  return createOpenAIEncoder({
    head: (request) => encodeHead(request, audience.model),
    message: (message, files) => encodeMessage(message, files, audience),
    tail(texts) {
      const content = texts.map((text) => ({ type: "input_text", text }));
      return { type: "message", role: "user", content };
    },
  });
}

function encodeHead(request: ModelRequest, model: string): string {
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
  return `${wireJson(head).slice(0, -1)},"input":[`;
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
