export type { Accumulated, Accumulator } from "./accumulator.ts";
export { createAccumulator } from "./accumulator.ts";
export type { AiSdkDoor, AiSdkModel, AiSdkParts } from "./ai-sdk-shape.ts";
export { aiSdkFault, looksLikeAiSdkModel } from "./ai-sdk-shape.ts";
export type { Auth } from "./auth.ts";
export { accessToken, accessTokenFromEnv, apiKey, apiKeyFromEnv, isAuth } from "./auth.ts";
export type { ContextWindowTable } from "./context-windows.ts";
export { contextWindow, createContextWindows } from "./context-windows.ts";
export { ModelFailedError } from "./failure.ts";
export { findKey } from "./find-key.ts";
export type { Limiter, Limiters, Passage, Ticket } from "./limiter.ts";
export { createLimiters } from "./limiter.ts";
export type { ModelAddress } from "./named-model.ts";
export { partBatches, streamOf } from "./part-batches.ts";
export { pause } from "./pause.ts";
export type {
  Completion,
  Effort,
  LanguageModel,
  ModelPart,
  ModelRequest,
  ModelStream,
  ModelTool,
  StreamOptions,
  Thinking,
} from "./port.ts";
export { EFFORTS } from "./port.ts";
export type { ModelPrice, ModelRates, PriceTable } from "./price-table.ts";
export { PRICES_AS_OF } from "./price-table.ts";
export type { Prices } from "./prices.ts";
export { createPrices } from "./prices.ts";
export type { FailureFacts } from "./read-failure.ts";
export { isProgramFault, isThrottled, readFailure } from "./read-failure.ts";
export type { ResolveModelParts } from "./resolve.ts";
export { resolveModel } from "./resolve.ts";
export type { RetryPlan } from "./retry.ts";
export { MAX_RETRIES, planRetry } from "./retry.ts";
export type { ScriptedFailure, ScriptedToolCall, ScriptedTurn, ScriptStep } from "./script.ts";
export type { ScriptedModel, ScriptedModelOptions } from "./scripted.ts";
export { scriptedModel } from "./scripted.ts";
export type { FailurePlace, FileForm, IdRule, LoadedFiles } from "./wire/index.ts";
export {
  ask,
  count,
  createHeadCache,
  createMessageCache,
  cutOff,
  failed,
  fileForm,
  NOTHING_SAID,
  problemIn,
  problemOf,
  splitResults,
  statusFailure,
  streamFailure,
  text,
  wellFormed,
  wireId,
  wireName,
} from "./wire/index.ts";
