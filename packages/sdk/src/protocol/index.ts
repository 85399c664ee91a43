export type {
  CanUseTool,
  CanUseToolContext,
  PermissionAllow,
  PermissionDeny,
  PermissionResult,
} from "./callback.ts";
export type { Decision, DecisionReason, MatchedRule, RiskLevel, TraceStep } from "./decision.ts";
export { errorText } from "./error-text.ts";
export type { ErrorCode, ErrorDetails } from "./errors.ts";
export { AbortError, CastellanError, isCastellanError } from "./errors.ts";
export type {
  CwdChanged,
  Envelope,
  EventData,
  FileSeen,
  HookRan,
  ModeChanged,
  ModelChanged,
  ModelCompleted,
  ModelRequested,
  ModelRetried,
  PermissionDenial,
  ResultEvent,
  ResultSubtype,
  RulesChanged,
  SessionConfigured,
  SessionEvent,
  SessionEventType,
  SessionStarted,
  TodosChanged,
  ToolDecided,
  ToolFinished,
  ToolOutcome,
  ToolStarted,
  UserMessageEvent,
} from "./events/index.ts";
export { EVENT_TYPES, OUTCOME_UNKNOWN } from "./events/index.ts";
export { isFreeDevice } from "./free-device.ts";
export type {
  AsyncHookJSONOutput,
  BaseHookInput,
  HookCallback,
  HookEvent,
  HookInput,
  HookInputs,
  HookJSONOutput,
  HookMatcher,
  HookSpecificOutputs,
  HooksOption,
  PermissionRequestHookInput,
  PostToolUseFailureHookInput,
  PostToolUseHookInput,
  PreToolUseHookInput,
  StopHookInput,
  SyncHookJSONOutput,
  ToolHookInput,
  UserPromptSubmitHookInput,
} from "./hook.ts";
export { HOOK_EVENTS, LATER_HOOK_EVENTS } from "./hook.ts";
export type { JsonObject, JsonSchema, JsonValue } from "./json.ts";
export type {
  HookCallbackMatcher,
  SDKPartialAssistantMessage,
  SDKSystemMessage,
} from "./known-names.ts";
export type { McpServerLike, McpServerStatus, McpToolStatus, McpTransport } from "./mcp.ts";
export { mcpSafe } from "./mcp-safe.ts";
export type {
  AssistantMessage,
  AssistantPart,
  FilePart,
  FileRef,
  Message,
  ProviderMeta,
  ReasoningPart,
  ResultPart,
  StopReason,
  TextPart,
  ToolCall,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
  Usage,
  UserMessage,
  UserPart,
} from "./message.ts";
export { NO_USAGE } from "./message.ts";
export { editDistance, nearestName } from "./nearest.ts";
export type {
  PermissionContext,
  PermissionMode,
  PermissionRuleValue,
  PermissionUpdate,
  RuleBehavior,
  RuleSource,
  SettingPlace,
  SourcedRule,
  UpdateDestination,
} from "./permission.ts";
export { PERMISSION_MODES, PERMISSION_RULE_SOURCES } from "./permission.ts";
export type { Recent } from "./recent.ts";
export { createRecent } from "./recent.ts";
export type { Recorder } from "./recorder.ts";
export type {
  SDKApiRetry,
  SDKAssistantMessage,
  SDKContentBlock,
  SDKHookResponse,
  SDKHookStarted,
  SDKImageBlock,
  SDKMessage,
  SDKMessageWithdrawn,
  SDKModelUsage,
  SDKNotification,
  SDKPermissionDecision,
  SDKPermissionDenied,
  SDKResultError,
  SDKResultMessage,
  SDKResultSuccess,
  SDKSessionStateChanged,
  SDKStatus,
  SDKStreamEvent,
  SDKSystemInit,
  SDKToolProgress,
  SDKToolResultBlock,
  SDKUsage,
  SDKUserBlock,
  SDKUserMessage,
  SDKUserMessageOut,
} from "./sdk-message.ts";
export type {
  AnswerSchema,
  FileLedger,
  MayRead,
  PlanModeSwitch,
  SeenFile,
  ShellState,
  SpawnedProcess,
  Spawner,
  SpawnRequest,
  TodoItem,
  TodoList,
  ToolServices,
} from "./services/index.ts";
export type {
  Opacity,
  ShellAccess,
  ShellAnalysis,
  ShellAssignment,
  ShellCommand,
  ShellHost,
  ShellLink,
  ShellPath,
  ShellWord,
  UnknownForm,
} from "./shell-analysis.ts";
export type {
  AppendBatch,
  AppendResult,
  ArtifactStore,
  EventStore,
  SessionFilter,
  SessionSummary,
} from "./stores/index.ts";
export type {
  CommandTarget,
  PathAccess,
  PathResolution,
  PathTarget,
  ProtectedName,
  ResolvedCommandTarget,
  ResolvedPathTarget,
  ResolvedTarget,
  Target,
} from "./target.ts";
export type {
  ArtifactRef,
  BuiltinContext,
  CalledToolResult,
  CallToolResult,
  CancelCode,
  CheckAnswer,
  CheckContext,
  ContentBlock,
  InputIssue,
  ParsedInput,
  PromptContext,
  ToolAnnotations,
  ToolDefinition,
  ToolInvocationContext,
  ToolPolicy,
  ToolProgress,
  ToolResult,
  ValidationResult,
} from "./tool.ts";
export { TOOL_NAME_ALIASES } from "./tool-names.ts";
export { withResolutions } from "./with-resolutions.ts";
