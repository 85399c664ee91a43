export type { FromAiSdkOptions } from "./ai-sdk/index.ts";
export { fromAiSdk } from "./ai-sdk/index.ts";
export type { AiSdkModel, LanguageModel } from "./model/index.ts";
