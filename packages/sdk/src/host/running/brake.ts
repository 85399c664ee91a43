import type { CancelCode } from "../../protocol/index.ts";
import { cancelReason } from "../../scheduler/index.ts";

/** What stops a session: the turn that runs, or all of it. */
export interface Brake {
  /** Why the session ends before its input does. */
  ending(): "close" | "abort" | undefined;
  /** Fires when the session ends, for whatever reason. */
  readonly stop: AbortSignal;
  /** A turn comes next: what cuts before it has begun cuts that one. */
  expect(): void;
  /** Runs one turn under a signal of its own. From `settled` on its end is known, and nothing cuts it any more. */
  turn(work: (signal: AbortSignal, settled: () => void) => Promise<unknown>): Promise<void>;
  /**
   * Cuts the turn that runs short. Between turns nothing happens, unless one is known to come: then that one is cut.
   *
   * @param isComing somebody waits to be heard. Default: what was expected.
   * @returns whether a turn is cut.
   */
  cut(code: CancelCode, isComing?: boolean): boolean;
  /** A turn runs whose end is not known yet, or one is expected. */
  hasTurn(): boolean;
  /** A cut waits for a turn that has yet to begin. */
  isCutAhead(): boolean;
  /** No turn comes after all: a cut that waited for one is dropped. */
  forget(): void;
  /** Ends the session; the first reason holds. A turn that begins later is cut short at once. */
  end(code: "close" | "abort"): void;
  /** The session has ended by itself. */
  done(): void;
}

/** @param expectsTurn a first turn will come, whoever else is there: that of a string prompt. */
export function createBrake(expectsTurn: boolean): Brake {
  const stop = new AbortController();
  let running: AbortController | undefined;
  let awaited = expectsTurn;
  let early: CancelCode | undefined;
  let ending: "close" | "abort" | undefined;
  return {
    ending: () => ending,
    stop: stop.signal,
    hasTurn: () => running !== undefined || awaited,
    isCutAhead: () => early !== undefined,
    expect() {
      awaited = true;
    },
    async turn(work) {
      const own = new AbortController();
      running = own;
      const code = ending ?? early;
      if (code !== undefined) own.abort(cancelReason(code));
      awaited = false;
      early = undefined;
      const settled = (): void => {
        if (running === own) running = undefined;
      };
      try {
        await work(own.signal, settled);
      } finally {
        settled();
      }
    },
    cut(code, isComing = false) {
      if (running !== undefined) running.abort(cancelReason(code));
      else if (awaited || isComing) early ??= code;
      else return false;
      return true;
    },
    forget() {
      early = undefined;
    },
    end(code) {
      ending ??= code;
      stop.abort();
      running?.abort(cancelReason(code));
    },
    done: () => stop.abort(),
  };
}
