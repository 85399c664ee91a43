import type { TimerKind } from "../events/timer.ts";

/** A timer that has yet to fire. */
export interface SessionTimer {
  readonly id: string;
  readonly kind: TimerKind;
  /** When it is due next, in epoch milliseconds. */
  readonly at: number;
  /** What the session is told then; a Sleep has none. */
  readonly prompt?: string;
  readonly cron?: string;
  readonly zone?: string;
}

/** A timer that is to tell the session something. */
export interface TimerWish {
  /** The call that wants it. */
  readonly callId: string;
  readonly prompt: string;
  /** Milliseconds from now, or five fields of a cron and their zone. */
  readonly when: number | { readonly cron: string; readonly zone: string };
}

/** How a Sleep ended. `news`: there is something to hear. Times in milliseconds. */
export type SleepEnd = {
  readonly kind: "over" | "news" | "stopped";
  readonly sleptMs: number;
  readonly leftMs: number;
};

/** Timers that wake the session; they stand in its log and outlive this process. */
export interface SessionTimers {
  /** Those that have yet to fire, the next one first. */
  list(): readonly SessionTimer[];
  /** Resolves once log and store hold it. The same call again gives what it has set before. A text says why there is none. */
  set(wish: TimerWish): Promise<SessionTimer | string>;
  /** Undefined where there is none of this id; a Sleep is none. */
  clear(id: string): Promise<SessionTimer | undefined>;
  /** Rests. The same call again, also in another process, rests until the same moment. Never rejects for the signal. */
  sleep(callId: string, ms: number, signal: AbortSignal): Promise<SleepEnd>;
  /** This call of the open round rests: where the session ends it is left open, and goes on with the next run. */
  rests(callId: string): boolean;
  /** A call of the open round rests for that long, or did when an earlier run ended. */
  restsFor(ms: number): boolean;
}
