/**
 * `@castellan/sdk`: an agent loop with tools, permissions, hooks and durable sessions, in your own process.
 *
 * @packageDocumentation
 */
export { AgentClient } from "./agent-client.ts";
// biome-ignore format: one a line, they would fill the file
export type {
  AiSdkModel, ApprovalChange, Approvals, ApprovalsOption, ApproveOptions, Auth, CancelReceipt, Client,
  ClientPrompt, CompatHost, ContextCategory, ContextUsage, Effort, ExportSessionOptions, ForkedSession, ForkSessionOptions,
  Host, HostLimits, HostModelOptions, HostOptions, ImportedSession, ImportSessionOptions, ImportSource,
  InterruptReceipt, LanguageModel, ListApprovalsOptions, ListSessionsOptions, ModelAddress, ModelPart,
  ModelPrice, ModelRequest, ModelTool, Options, OverStore, PendingWake, Platform, PriceTable, PruneReport,
  PruneSessionsOptions, Query, QueryParams, QueuedMessage, Redact, RejectOptions, ResolvedSettings,
  ResolveOptions, RewindFilesOptions, RewindFilesResult, RewoundFile, RuleObject, RunWakesOptions, SessionInfo,
  SessionMessagesOptions, SessionStatus, Sessions, SettingSource, Settings, SettingsFinding, SettingsObject,
  SettingsSourceRead, StreamOptions, Thinking, TypedHook, Wakes, WatchApprovalsOptions,
  WorkerOptions,
} from "./host/index.ts";
// biome-ignore format: one a line, they would fill the file
export {
  accessToken, accessTokenFromEnv, apiKey, apiKeyFromEnv, approvals, approvalsOf, createHost,
  createSdkMcpServer, defineHook, deleteSession, EFFORTS, exportSession, forkSession, getSessionInfo,
  getSessionMessages, importSession, listSessions, nodePlatform, PermissionResultAllow, PermissionResultDeny,
  pruneSessions, renameSession, resolveSettings, tagSession,
} from "./host/index.ts";
// biome-ignore format: one a line, they would fill the file
export type {
  ApprovalDecision, ApprovalRecord, ApprovalStatus, ApprovalStore, ArtifactRef, ArtifactStore,
  AsyncHookJSONOutput, BackgroundTask, BaseHookInput, CalledToolResult, CallToolResult, CanUseTool,
  CanUseToolContext, ContentBlock, Decision, DecisionReason, ErrorCode, EventStore, HookCallback,
  HookCallbackMatcher, HookEvent, HookInput, HookInputs, HookJSONOutput, HookMatcher, HookSpecificOutputs,
  HooksOption, JsonObject, JsonSchema, JsonValue, MatchedRule, McpServerLike, McpServerStatus, McpToolStatus,
  McpTransport, NotificationHookInput, PendingApproval, PermissionDenial, PermissionMode,
  PermissionRequestHookInput, PermissionResult, PermissionUpdate, PostCompactHookInput,
  PostToolUseFailureHookInput, PostToolUseHookInput, PreCompactHookInput, PreToolUseHookInput, ResultSubtype,
  RiskLevel, RuleSource, SDKApiRetry, SDKApprovalRequested, SDKApprovalResolved, SDKAssistantMessage,
  SDKCompactBoundary, SDKContentBlock, SDKHookResponse, SDKHookStarted, SDKImageBlock, SDKMessage,
  SDKMessageWithdrawn, SDKModelUsage, SDKNotification, SDKPartialAssistantMessage, SDKPermissionDecision,
  SDKPermissionDenied, SDKResultError, SDKResultMessage, SDKResultPaused, SDKResultSuccess,
  SDKSessionStateChanged, SDKStatus, SDKStreamEvent, SDKSystemInit, SDKSystemMessage, SDKTaskNotification,
  SDKTaskStarted, SDKTimer, SDKTimerCleared, SDKToolProgress, SDKToolResultBlock, SDKUsage, SDKUserBlock, SDKUserMessage,
  SDKUserMessageOut, SessionEvent, SettingPlace, StopHookInput, Store, SyncHookJSONOutput, TaskStatus,
  ToolAnnotations, ToolDefinition, ToolHookInput, ToolInvocationContext, ToolResult,
  UserPromptSubmitHookInput,
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
