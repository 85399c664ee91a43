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
export type {
  BaseHookInput,
  HookCallback,
  HookEvent,
  HookInput,
  HookJSONOutput,
  HookMatcher,
  HooksOption,
  PostToolUseHookInput,
  PreToolUseHookInput,
} from "./hook.ts";
export { HOOK_EVENTS } from "./hook.ts";
export type { JsonObject, JsonSchema, JsonValue } from "./json.ts";
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
export type {
  PermissionContext,
  PermissionMode,
  PermissionRuleValue,
  PermissionUpdate,
  RuleBehavior,
  RuleSource,
  SourcedRule,
  UpdateDestination,
} from "./permission.ts";
export { PERMISSION_MODES, PERMISSION_RULE_SOURCES } from "./permission.ts";
export type { Recorder } from "./recorder.ts";
export type {
  SDKApiRetry,
  SDKAssistantMessage,
  SDKContentBlock,
  SDKImageBlock,
  SDKMessage,
  SDKMessageWithdrawn,
  SDKModelUsage,
  SDKNotification,
  SDKPermissionDecision,
  SDKPermissionDenied,
  SDKResultMessage,
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
  ShellPath,
  ShellWord,
  UnknownForm,
} from "./shell-analysis.ts";
export type { AppendBatch, AppendResult, ArtifactStore, EventStore, SessionSummary } from "./stores/index.ts";
export type {
  CommandTarget,
  PathAccess,
  PathResolution,
  PathTarget,
  ProtectedName,
  ResolvedPathTarget,
  ResolvedTarget,
  Target,
} from "./target.ts";
export type {
  ArtifactRef,
  BuiltinContext,
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
