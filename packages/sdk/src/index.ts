/**
 * `@castellan/sdk`: an agent loop with tools, permissions, hooks and durable sessions, in your own process.
 *
 * @packageDocumentation
 */
export type { Host, HostOptions, Options, Query, QueryParams, SettingsObject } from "./host/index.ts";
export { createHost } from "./host/index.ts";
export type {
  ArtifactRef,
  ArtifactStore,
  CallToolResult,
  CanUseTool,
  CanUseToolContext,
  ContentBlock,
  Decision,
  DecisionReason,
  ErrorCode,
  EventStore,
  HookCallback,
  HookEvent,
  HookInput,
  HookJSONOutput,
  HookMatcher,
  HooksOption,
  JsonObject,
  JsonSchema,
  JsonValue,
  MatchedRule,
  PermissionMode,
  PermissionResult,
  PermissionUpdate,
  PostToolUseHookInput,
  PreToolUseHookInput,
  RiskLevel,
  RuleSource,
  SDKAssistantMessage,
  SDKContentBlock,
  SDKMessage,
  SDKNotification,
  SDKPermissionDecision,
  SDKPermissionDenied,
  SDKResultMessage,
  SDKStatus,
  SDKStreamEvent,
  SDKSystemInit,
  SDKToolProgress,
  SDKUserMessage,
  SDKUserMessageOut,
  ToolAnnotations,
  ToolDefinition,
  ToolInvocationContext,
  ToolResult,
} from "./protocol/index.ts";
export {
  AbortError,
  CastellanError,
  HOOK_EVENTS,
  isCastellanError,
  PERMISSION_MODES,
  PERMISSION_RULE_SOURCES,
} from "./protocol/index.ts";
export { query } from "./query.ts";
export {
  BUILTIN_TOOL_NAMES,
  buildTool,
  describe,
  invokeTool,
  TOOL_NAME_ALIASES,
  tool,
} from "./tools/index.ts";
