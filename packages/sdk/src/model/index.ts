export type { Accumulated, Accumulator } from "./accumulator.ts";
export { createAccumulator } from "./accumulator.ts";
export type { Completion, LanguageModel, ModelPart, ModelRequest, ModelTool, StreamOptions } from "./port.ts";
export type { ResolveModelParts } from "./resolve.ts";
export { resolveModel } from "./resolve.ts";
export type { ScriptedToolCall, ScriptedTurn, ScriptStep } from "./script.ts";
export type { ScriptedModel, ScriptedModelOptions } from "./scripted.ts";
export { scriptedModel } from "./scripted.ts";
