export type {
  ApprovalChange,
  Approvals,
  ApproveOptions,
  DecideOptions,
  ListApprovalsOptions,
  RejectOptions,
  WatchApprovalsOptions,
} from "../approvals/index.ts";
export type { RewoundFile } from "../builtins/index.ts";
export type { TypedHook } from "../hooks/index.ts";
export { defineHook } from "../hooks/index.ts";
export type {
  AiSdkModel,
  Auth,
  Effort,
  LanguageModel,
  ModelAddress,
  ModelPart,
  ModelPrice,
  ModelRequest,
  ModelTool,
  PriceTable,
  StreamOptions,
  Thinking,
} from "../model/index.ts";
export { accessToken, accessTokenFromEnv, apiKey, apiKeyFromEnv, EFFORTS } from "../model/index.ts";
export type { Platform } from "../platform/index.ts";
export { nodePlatform } from "../platform/index.ts";
export type { Redact } from "../sessions/index.ts";
export type {
  CompatHost,
  ResolvedSettings,
  RuleObject,
  SettingSource,
  Settings,
  SettingsFinding,
  SettingsSourceRead,
} from "../settings/index.ts";
export { approvalsOf } from "./approvals/approvals-of.ts";
export { approvals } from "./approvals/default-approvals.ts";
export type { ClientPrompt } from "./client.ts";
export { Client } from "./client.ts";
export type { CancelReceipt } from "./controls/cancel-message.ts";
export type { ContextCategory, ContextUsage } from "./controls/context-usage.ts";
export { defaultHost } from "./default-host.ts";
export type {
  CaseSettings,
  CheckOptions,
  DryCall,
  FailedCase,
  ListedRule,
  PolicyCase,
  PolicyFinding,
  PolicyReport,
  RuleListing,
  TestPolicyOptions,
} from "./dry/types.ts";
export { dryRuns } from "./dry-runs.ts";
export type { Host, HostLimits, HostOptions } from "./host.ts";
export { createHost } from "./host.ts";
export type { HostModelOptions } from "./host-models.ts";
export type { FixedRule, FixReport, LintOptions, RevokeOptions, RevokeResult } from "./lint/types.ts";
export { lintRuns } from "./lint-runs.ts";
export type { RewindFilesOptions, RewindFilesResult } from "./opening/session-files.ts";
export type { ApprovalsOption } from "./options/approvals.ts";
export type { Options, SettingsObject } from "./options/types.ts";
export { PermissionResultAllow, PermissionResultDeny } from "./permission-results.ts";
export { Query } from "./query.ts";
export type { QueryParams } from "./query-params.ts";
export type { InterruptReceipt, QueuedMessage } from "./running/interrupt.ts";
export { createSdkMcpServer } from "./sdk-mcp-server.ts";
export {
  deleteSession,
  exportSession,
  forkSession,
  getSessionInfo,
  getSessionMessages,
  importSession,
  listSessions,
  pruneSessions,
  renameSession,
  tagSession,
} from "./session-functions.ts";
export type {
  ExportSessionOptions,
  ForkedSession,
  ForkSessionOptions,
  ImportedSession,
  ImportSessionOptions,
  ImportSource,
  ListSessionsOptions,
  OverStore,
  PruneReport,
  PruneSessionsOptions,
  SessionInfo,
  SessionMessagesOptions,
  SessionStatus,
  Sessions,
} from "./sessions/types.ts";
export type { ResolveOptions } from "./settings/resolve-settings.ts";
export type { TrustOptions, TrustResult } from "./settings/trust-workspace.ts";
export { resolveSettings, trustWorkspace } from "./settings-runs.ts";
export type { PendingWake, RunWakesOptions, Wakes } from "./timers/wake-types.ts";
export type { WorkerOptions } from "./worker-lease.ts";
