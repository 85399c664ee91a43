export type { Accumulated, Accumulator } from "./accumulator.ts";
export { createAccumulator } from "./accumulator.ts";
export type { Auth } from "./auth.ts";
export { accessToken, accessTokenFromEnv, apiKey, apiKeyFromEnv, isAuth } from "./auth.ts";
export { loadScript } from "./load-script.ts";
export type {
  Completion,
  Effort,
  LanguageModel,
  ModelPart,
  ModelRequest,
  ModelTool,
  StreamOptions,
  ThinkingRequest,
} from "./port.ts";
export type { ResolveModelParts } from "./resolve.ts";
export { resolveModel } from "./resolve.ts";
export type { ScriptedToolCall, ScriptedTurn, ScriptStep } from "./script.ts";
export type { ScriptedModel, ScriptedModelOptions } from "./scripted.ts";
export { scriptedModel } from "./scripted.ts";
