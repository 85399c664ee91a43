/**
 * `@castellan/sdk`: an agent loop with tools, permissions, hooks and durable sessions, in your own process.
 *
 * @packageDocumentation
 */
export { AgentClient } from "./agent-client.ts";
export type {
  AiSdkModel,
  Auth,
  Client,
  ClientPrompt,
  CompatHost,
  Effort,
  Host,
  HostModelOptions,
  HostOptions,
  LanguageModel,
  ModelAddress,
  ModelPart,
  ModelPrice,
  ModelRequest,
  ModelTool,
  Options,
  Platform,
  PriceTable,
  Query,
  QueryParams,
  ResolvedSettings,
  ResolveOptions,
  RuleObject,
  SettingSource,
  Settings,
  SettingsFinding,
  SettingsObject,
  SettingsSourceRead,
  StreamOptions,
  Thinking,
  TypedHook,
} from "./host/index.ts";
export {
  accessToken,
  accessTokenFromEnv,
  apiKey,
  apiKeyFromEnv,
  createHost,
  createSdkMcpServer,
  defineHook,
  EFFORTS,
  nodePlatform,
  PermissionResultAllow,
  PermissionResultDeny,
  resolveSettings,
} from "./host/index.ts";
// biome-ignore format: one a line, they would fill the file
export type {
  ArtifactRef, ArtifactStore, AsyncHookJSONOutput, BaseHookInput, CalledToolResult, CallToolResult,
  CanUseTool, CanUseToolContext, ContentBlock, Decision, DecisionReason, ErrorCode, EventStore, HookCallback,
  HookCallbackMatcher, HookEvent, HookInput, HookInputs, HookJSONOutput, HookMatcher,
  HookSpecificOutputs, HooksOption, JsonObject, JsonSchema, JsonValue, MatchedRule, McpServerLike, McpServerStatus,
  McpToolStatus, McpTransport, PermissionDenial, PermissionMode, PermissionRequestHookInput,
  PermissionResult, PermissionUpdate, PostToolUseFailureHookInput, PostToolUseHookInput, PreToolUseHookInput,
  ResultSubtype, RiskLevel, RuleSource, SDKApiRetry, SDKAssistantMessage, SDKContentBlock, SDKHookResponse,
  SDKHookStarted, SDKImageBlock, SDKMessage, SDKMessageWithdrawn, SDKModelUsage, SDKNotification,
  SDKPartialAssistantMessage, SDKPermissionDecision, SDKPermissionDenied, SDKResultError, SDKResultMessage,
  SDKResultSuccess, SDKSessionStateChanged, SDKStatus, SDKStreamEvent, SDKSystemInit, SDKSystemMessage,
  SDKToolProgress, SDKToolResultBlock, SDKUsage, SDKUserBlock, SDKUserMessage, SDKUserMessageOut,
  SettingPlace, StopHookInput, SyncHookJSONOutput, ToolAnnotations, ToolDefinition, ToolHookInput,
  ToolInvocationContext, ToolResult, UserPromptSubmitHookInput,
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
export type {
  HandlerContext,
  HandlerResult,
  McpServerConfig,
  SdkMcpServer,
  SdkMcpServerInstance,
  SdkMcpServerOptions,
  Tool as SdkMcpToolDefinition,
  ToolExtras,
} from "./tools/index.ts";
export {
  BUILTIN_TOOL_NAMES,
  buildTool,
  describe,
  invokeTool,
  TOOL_NAME_ALIASES,
  tool,
} from "./tools/index.ts";
