import type { LanguageModel } from "../port.ts";
import { anthropicModel } from "./anthropic/anthropic-model.ts";
import { chatModel } from "./openai-chat/chat-model.ts";
import { responsesModel } from "./openai-responses/responses-model.ts";
import type { Endpoint } from "./shared/endpoint.ts";
import type { WirePlatform } from "./shared/wire-format.ts";

export type { Dialect, Endpoint } from "./shared/endpoint.ts";
export { isLoopback } from "./shared/failures.ts";
export { isReasoningModel } from "./shared/openai-effort.ts";
export type { WirePlatform } from "./shared/wire-format.ts";

/** The three formats that we speak ourselves. */
export type WireFormatName = "anthropic" | "openai-chat" | "openai-responses";

const MODELS = {
  anthropic: anthropicModel,
  "openai-chat": chatModel,
  "openai-responses": responsesModel,
} as const;

/** A model behind one endpoint. */
export function wireModel(format: WireFormatName, endpoint: Endpoint, platform: WirePlatform): LanguageModel {
  return MODELS[format](endpoint, platform);
}
