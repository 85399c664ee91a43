import type { LanguageModel } from "../port.ts";
import { anthropicModel } from "./anthropic/anthropic-model.ts";
import { chatModel } from "./openai-chat/chat-model.ts";
import { responsesModel } from "./openai-responses/responses-model.ts";
import type { Endpoint } from "./shared/endpoint.ts";
import type { WirePlatform } from "./shared/wire-format.ts";

export type { Dialect, Endpoint } from "./shared/endpoint.ts";
export type { FailurePlace } from "./shared/failures.ts";
export { failed, isLoopback, problemIn, problemOf, statusFailure, streamFailure } from "./shared/failures.ts";
export type { FileForm, LoadedFiles } from "./shared/files.ts";
export { fileForm } from "./shared/files.ts";
export { createHeadCache } from "./shared/head-cache.ts";
export { ask, count, text, wellFormed } from "./shared/json.ts";
export { createMessageCache } from "./shared/message-cache.ts";
export { isReasoningModel } from "./shared/openai-effort.ts";
export { splitResults } from "./shared/openai-results.ts";
export { cutOff } from "./shared/stream-decoder.ts";
export type { WirePlatform } from "./shared/wire-format.ts";
export type { IdRule } from "./shared/wire-names.ts";
export { NOTHING_SAID, wireId, wireName } from "./shared/wire-names.ts";

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
