import type { Gate } from "../gate/index.ts";
import type { HookRunDeps, HookTable } from "../hooks/index.ts";
import type { Platform } from "../platform/index.ts";
import type {
  ArtifactStore,
  BaseHookInput,
  EventData,
  Recorder,
  ToolCallPart,
  ToolProgress,
  ToolServices,
} from "../protocol/index.ts";

/** Runs the tool calls of one assistant message. */
export interface Scheduler {
  /**
   * Resolves when every call has its one `tool.finished`; each is recorded as it comes. A call that waits in the inbox
   * has none when the session ends, or when the turn need not wait for it.
   *
   * @param resume what the log already holds of this round: finished calls are left alone, the others
   *   are decided afresh.
   * @throws CastellanError `store_failed`, `store_conflict`, `session_busy`, `log_corrupt` or `query_closed`
   *   when the log cannot be written. Nothing that waited for the write has run, and nothing runs any more.
   */
  runRound(
    calls: readonly ToolCallPart[],
    assistantMessageId: string,
    signal: AbortSignal,
    resume?: ReadonlyMap<string, EarlierCall>,
  ): Promise<RoundOutcome>;
}

/** What a log knows of a call from before. */
export interface EarlierCall {
  readonly started?: Pick<EventData<"tool.started">, "repeatable"> | undefined;
  readonly finished?: unknown;
}

export interface RoundOutcome {
  /** The turn ends: a person refused with `interrupt`, or `signal` fired. */
  readonly interrupted?: { readonly by: "denied_interrupt" | "signal" };
  /** A hook ended the run. */
  readonly stop?: { readonly reason: string };
  /** What is left waits in the inbox: calls without a result, for whoever goes on. */
  readonly paused?: true;
}

/** A progress report on its way out. It is never logged. */
export interface ProgressNote {
  readonly callId: string;
  readonly name: string;
  readonly progress: ToolProgress;
}

export interface SchedulerDeps {
  readonly gate: Gate;
  readonly recorder: Recorder;
  readonly hooks: HookTable;
  /** The fields that every hook input has; called only when a hook matches. */
  hookInput(): BaseHookInput;
  /** Told of each hook that begins. */
  readonly hookStarted?: HookRunDeps["started"];
  readonly services: ToolServices;
  readonly platform: Platform;
  readonly artifacts: ArtifactStore;
  readonly sessionId: string;
  readonly agentId?: string;
  /** The start directory, where `services.shell` does not know better. */
  readonly cwd: string;
  /** The start of a call that must not run twice outlasts a power cut before it runs. Default: the end of this process. */
  readonly syncWrites?: boolean | undefined;
  /** How many calls may run at once; default 10. */
  readonly concurrency?: number | undefined;
  /** Must not throw; neither may `notify` and `log`. */
  emit(note: ProgressNote): void;
  /** For people: skipped blocks, failing hooks. */
  notify(level: "info" | "warning" | "error", message: string): void;
  /** What tools log. */
  log?(level: "debug" | "info" | "warn" | "error", message: string, callId: string): void;
}
