export type { CompiledHook, HookTable, OnFailure } from "./compile.ts";
export { compileHooks } from "./compile.ts";
export { foldKey } from "./fold-key.ts";
export type { HookSubject } from "./matcher.ts";
export type { HookResultCall, PostToolUseEffect } from "./post-tool-use.ts";
export { runPostToolUse } from "./post-tool-use.ts";
export type { PreToolUseEffect } from "./pre-tool-use.ts";
export { runPreToolUse } from "./pre-tool-use.ts";
export type { HookCall } from "./run-matching.ts";
