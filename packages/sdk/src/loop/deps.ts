import type { LanguageModel, ModelRequest } from "../model/index.ts";
import type { Platform } from "../platform/index.ts";
import type { CancelCode, SDKStreamEvent, UserMessage } from "../protocol/index.ts";
import type { Scheduler } from "../scheduler/index.ts";
import type { SessionLog } from "../sessions/index.ts";

/** What one user turn needs. Every function is called at the moment it is needed, never kept. */
export interface LoopDeps {
  readonly platform: Pick<Platform, "clock" | "ids">;
  readonly log: Pick<SessionLog, "record" | "barrier" | "state">;
  readonly scheduler: Scheduler;
  /** The model of the next request. */
  model(): LanguageModel;
  /** The next request, over the session's own arrays. */
  request(): ModelRequest;
  /** Model requests for each user message. */
  readonly maxTurns: number | undefined;
  /** Present when the reader wants deltas. Must not throw. */
  readonly emit: ((message: SDKStreamEvent) => void) | undefined;
  /** Undefined while the reader keeps up; else resolves when it has caught up. */
  pressure(): Promise<void> | undefined;
  /** Messages that a person wants in before the next request, in order. */
  steer(): readonly UserMessage[];
}

/** How a user turn ended, as the result message will tell it. */
export type TurnEnd =
  | { readonly kind: "completed"; readonly text: string; readonly stopReason: string }
  /** The signal fired; `code` says by whom. */
  | { readonly kind: "interrupted"; readonly code: CancelCode }
  | { readonly kind: "denied_interrupt"; readonly message: string }
  | { readonly kind: "max_turns"; readonly limit: number }
  | { readonly kind: "hook_stopped"; readonly reason: string }
  | { readonly kind: "model_error"; readonly message: string };
