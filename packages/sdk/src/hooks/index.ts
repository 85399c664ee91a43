export type { CompiledHook, HookTable, OnFailure } from "./compile.ts";
export { compileHooks } from "./compile.ts";
export type { TypedHook } from "./define-hook.ts";
export { defineHook } from "./define-hook.ts";
export { foldKey } from "./fold-key.ts";
export type { CommonEffect } from "./joined.ts";
export type { HookSubject } from "./matcher.ts";
export { matcherFault } from "./matcher.ts";
export type { HookQuestion, PermissionRequestEffect, RequestAnswer } from "./permission-request.ts";
export { runPermissionRequest } from "./permission-request.ts";
export type { HookResultCall, PostToolUseEffect } from "./post-tool-use.ts";
export { runPostToolUse } from "./post-tool-use.ts";
export type { HookFailedCall } from "./post-tool-use-failure.ts";
export { runPostToolUseFailure } from "./post-tool-use-failure.ts";
export type { PreToolUseEffect } from "./pre-tool-use.ts";
export { runPreToolUse } from "./pre-tool-use.ts";
export type { HookCall, HookRunDeps, HookStart } from "./run-matching.ts";
export type { BlockableEffect } from "./session-events.ts";
export {
  runNotification,
  runPostCompact,
  runPreCompact,
  runStop,
  runUserPromptSubmit,
} from "./session-events.ts";
export type { HookTeller } from "./tell-effect.ts";
export { tellEffect } from "./tell-effect.ts";
