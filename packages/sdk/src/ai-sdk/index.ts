export type { FromAiSdkOptions } from "./from-ai-sdk.ts";
export { fromAiSdk } from "./from-ai-sdk.ts";
export { namedAiSdkModel } from "./named.ts";
