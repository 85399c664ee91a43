import type { TimerClear, TimerKind } from "./events/index.ts";
import type { SDKCommon } from "./sdk-common.ts";

/** A timer of the session was set, or it was due and the model is told. */
export interface SDKTimer extends SDKCommon {
  readonly type: "system";
  readonly subtype: "timer_set" | "timer_fired";
  readonly timer_id: string;
  readonly kind: TimerKind;
  /** Epoch milliseconds at which it is, or was, due. */
  readonly due_at: number;
  /** What the model is told. Absent: it is a Sleep. */
  readonly prompt?: string;
  readonly cron?: string;
  /** The IANA zone that `cron` is read in. */
  readonly timezone?: string;
  /** Of one that fired: milliseconds by which it came late, where that is more than a minute. */
  readonly late_ms?: number;
  /** Of a cron that fired: when it is due next, in epoch milliseconds. */
  readonly next_at?: number;
}

/** A timer of the session is gone before its time. */
export interface SDKTimerCleared extends SDKCommon {
  readonly type: "system";
  readonly subtype: "timer_cleared";
  readonly timer_id: string;
  readonly reason: TimerClear;
}
