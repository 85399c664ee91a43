import type { CancelCode } from "../../protocol/index.ts";
import { cancelReason } from "../../scheduler/index.ts";

/** What stops a session: the turn that runs, or all of it. */
export interface Brake {
  /** Why the session ends before its input does. */
  readonly ending: "close" | "abort" | undefined;
  /** Fires when the session ends, for whatever reason. */
  readonly stop: AbortSignal;
  /** Runs one turn under a signal of its own. */
  turn(work: (signal: AbortSignal) => Promise<unknown>): Promise<void>;
  /**
   * Cuts the turn that runs short. Between turns nothing happens, unless one is known to come: then that one is cut.
   *
   * @param isComing somebody waits to be heard. Default: before the first turn, what `expectsTurn` said.
   */
  cut(code: CancelCode, isComing?: boolean): void;
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
    get ending() {
      return ending;
    },
    stop: stop.signal,
    async turn(work) {
      running = new AbortController();
      const code = ending ?? early;
      if (code !== undefined) running.abort(cancelReason(code));
      awaited = false;
      early = undefined;
      try {
        await work(running.signal);
      } finally {
        running = undefined;
      }
    },
    cut(code, isComing = false) {
      if (running !== undefined) running.abort(cancelReason(code));
      else if (awaited || isComing) early ??= code;
    },
    end(code) {
      ending ??= code;
      stop.abort();
      running?.abort(cancelReason(code));
    },
    done: () => stop.abort(),
  };
}
