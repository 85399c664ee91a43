export type { Moment, RequestPrefix } from "./build-request.ts";
export { buildRequest } from "./build-request.ts";
export type { PromptFacts, SystemPromptOption } from "./system-prompt.ts";
export { systemPrompt } from "./system-prompt.ts";
