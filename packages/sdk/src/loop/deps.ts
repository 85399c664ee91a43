import type { HookRunDeps, HookTable } from "../hooks/index.ts";
import type { LanguageModel, Limiters, ModelRequest, Prices } from "../model/index.ts";
import type { Platform, Semaphore } from "../platform/index.ts";
import type {
  BaseHookInput,
  CancelCode,
  JsonObject,
  SDKMessageWithdrawn,
  SDKStreamEvent,
} from "../protocol/index.ts";
import type { Scheduler } from "../scheduler/index.ts";
import type { SessionLog } from "../sessions/index.ts";
import type { Budget } from "./budget.ts";
import type { LoopContext } from "./loop-context.ts";
import type { OutputRule } from "./output-rule.ts";
import type { Steering } from "./steering.ts";

/** The hooks of a session, for the events that the loop fires. */
export interface LoopHooks {
  readonly table: HookTable;
  /** The fields that every input has; asked for only when a hook stands there. */
  input(): BaseHookInput;
  /** Told of each hook that begins. */
  readonly started?: HookRunDeps["started"];
  /** For people. Must not throw. */
  notify(level: "info" | "warning" | "error", message: string): void;
}

/** What one user turn needs. Every function is called at the moment it is needed, never kept. */
export interface LoopDeps {
  readonly platform: Pick<Platform, "clock" | "ids" | "random">;
  readonly log: Pick<SessionLog, "record" | "barrier" | "state" | "wake">;
  readonly scheduler: Scheduler;
  /** The model of the next request. */
  model(): LanguageModel;
  /** The next request, over the session's own arrays. */
  request(): ModelRequest;
  /** Bytes that messages refer to by hash. */
  readonly loadArtifact?: ((hash: string) => Promise<Uint8Array | undefined>) | undefined;
  /** Takes over for the rest of a user turn when `model()` cannot be reached any more. */
  readonly fallback?: LanguageModel | undefined;
  /** The limiters of the host. Absent: nothing is limited. */
  readonly limiters?: Limiters | undefined;
  /** Told once of each request that the limiter holds back for long. `leastMs`: how long at least. Must not throw. */
  held?(request: { readonly model: string; readonly leastMs: number }): void;
  /** Absent: no answer has a known cost. */
  readonly prices?: Prices | undefined;
  readonly budget?: Budget | undefined;
  /** The answer must be data. */
  readonly output?: OutputRule | undefined;
  /** Absent: the history is never summed up. */
  readonly context?: LoopContext | undefined;
  /** Absent: no hook fires. */
  readonly hooks?: LoopHooks | undefined;
  /** Model requests for each user message. */
  readonly maxTurns: number | undefined;
  /** A result outlasts a power cut before it is told. Default: the end of this process. */
  readonly syncWrites?: boolean | undefined;
  /** How many answers may stream at once in the host. Absent: any number. */
  readonly streams?: Semaphore | undefined;
  /** Present when the reader wants deltas. Must not throw. */
  readonly emit: ((message: SDKStreamEvent | SDKMessageWithdrawn) => void) | undefined;
  /** Undefined while the reader keeps up; else resolves when it has caught up. */
  pressure(): Promise<void> | undefined;
  readonly steering: Steering;
  /** What has happened beside the turn since this was last asked, for the model: a line each. */
  news?(): readonly string[];
}

/** How a user turn ended, as the result message will tell it. */
export type TurnEnd =
  | {
      readonly kind: "completed";
      readonly text: string;
      readonly stopReason: string;
      readonly structured?: JsonObject;
    }
  /** The signal fired; `code` says by whom. */
  | { readonly kind: "interrupted"; readonly code: CancelCode }
  | { readonly kind: "denied_interrupt"; readonly message: string }
  | { readonly kind: "max_turns"; readonly limit: number }
  | { readonly kind: "hook_stopped"; readonly reason: string }
  /** All that is left waits in the inbox. */
  | { readonly kind: "paused" }
  /** A UserPromptSubmit hook kept the message from the model. */
  | { readonly kind: "prompt_blocked"; readonly reason: string }
  | {
      readonly kind:
        | "model_error"
        | "context_overflow"
        | "max_budget_usd"
        | "max_tokens_budget"
        | "max_structured_output_retries";
      readonly message: string;
    };
