import type { Envelope } from "./envelope.ts";

/** `sleep`: a call of Sleep rests until then. `wakeup`: once. `cron`: again and again. */
export type TimerKind = "sleep" | "wakeup" | "cron";

/** A timer stands. It is in the log before the store is told when to wake the session. */
export type TimerSet = Envelope<
  "timer.set",
  {
    readonly timerId: string;
    readonly kind: TimerKind;
    /** When it is due, in epoch milliseconds; of a cron: for the first time. */
    readonly at: number;
    /** The call that set it. */
    readonly callId?: string;
    /** What the session is told then. */
    readonly prompt?: string;
    /** Of a cron: its five fields, and the IANA zone that they are read in. */
    readonly cron?: string;
    readonly zone?: string;
  }
>;

/**
 * A timer was due. It stands there as fired until what it is for is in the log too: the message that names it, or the
 * result of its Sleep. Who finds it so after a crash writes that, and does not fire it again.
 */
export type TimerFired = Envelope<
  "timer.fired",
  {
    readonly timerId: string;
    /** Epoch milliseconds of the firing. */
    readonly at: number;
    /** Epoch milliseconds at which it was due. */
    readonly due: number;
    /** Milliseconds by which it came late, where that is more than a minute. */
    readonly late?: number;
    /** Of a cron: when it is due next, in epoch milliseconds. Absent: it is over. */
    readonly next?: number;
  }
>;

/** Why a timer is gone before its time. */
export type TimerClear =
  /** The model deleted it. */
  | "deleted"
  /** Something to hear came and ended a Sleep. */
  | "woken"
  /** The call of a Sleep was stopped, or did not live to see its end. */
  | "stopped"
  /** It is the timer of the session that this one was copied from. */
  | "copied";

/** A timer will not fire any more. */
export type TimerCleared = Envelope<"timer.cleared", { readonly timerId: string; readonly by: TimerClear }>;
