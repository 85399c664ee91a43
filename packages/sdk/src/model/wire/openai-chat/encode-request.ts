import type { ModelRequest, ModelTool } from "../../port.ts";
import type { Dialect } from "../shared/endpoint.ts";
import { wireJson } from "../shared/json.ts";
import { isReasoningModel, openaiEffort } from "../shared/openai-effort.ts";
import { createOpenAIEncoder } from "../shared/openai-request.ts";
import { answerFormat, functionOf, isStrict } from "../shared/openai-tools.ts";
import type { WireFormat } from "../shared/wire-format.ts";
import { type ChatAudience, encodeMessage } from "./encode-message.ts";

/** Encodes requests of chat completions. */
export function createEncoder(model: string, audience: ChatAudience): WireFormat["encode"] {
  return createOpenAIEncoder({
    head: (request) => encodeHead(request, model, audience.dialect),
    message: (message, files) => encodeMessage(message, files, audience),
    tail: (texts) => ({ role: "user", content: texts.join("\n\n") }),
  });
}

function encodeHead(request: ModelRequest, model: string, dialect: Dialect): string {
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
  const first = system.length === 0 ? "" : wireJson({ role: "system", content: system.join("\n\n") });
  return `${wireJson(head).slice(0, -1)},"messages":[${first}`;
}

function encodeTool(tool: ModelTool, dialect: Dialect): object {
  const strict = dialect.strictTools && isStrict(tool) ? { strict: true } : {};
  return { type: "function", function: { ...functionOf(tool), ...strict } };
}
