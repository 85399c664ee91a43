import type { CancelCode } from "../../protocol/index.ts";
import { cancelReason, gentleReason } from "../../scheduler/index.ts";

/** What stops a session: the turn that runs, or all of it. */
export interface Brake {
  /** Why the session ends before its input does. */
  ending(): "close" | "abort" | undefined;
  /** Fires when the session ends, for whatever reason. Made when it is first asked for: most sessions need none. */
  stop(): AbortSignal;
  /** A turn comes next: what cuts before it has begun cuts that one. */
  expect(): void;
  /** Runs one turn under a signal of its own. From `settled` on its end is known, and nothing cuts it any more. */
  turn<T>(work: (signal: AbortSignal, settled: () => void) => Promise<T>): Promise<T>;
  /**
   * Cuts the turn that runs short. Between turns nothing happens, unless one is known to come: then that one is cut.
   * `new_message` lets calls whose tool says "block" finish; another code, also behind it, does not.
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
  return new SessionBrake(expectsTurn);
}

class SessionBrake implements Brake {
  #stop: AbortController | undefined;
  #isOver = false;
  #running: AbortController | undefined;
  /** For calls that a new message lets finish. */
  #harder: AbortController | undefined;
  #awaited: boolean;
  #early: CancelCode | undefined;
  #ending: "close" | "abort" | undefined;

  constructor(expectsTurn: boolean) {
    this.#awaited = expectsTurn;
  }

  stop(): AbortSignal {
    if (this.#stop === undefined) {
      this.#stop = new AbortController();
      if (this.#isOver) this.#stop.abort();
    }
    return this.#stop.signal;
  }

  ending(): "close" | "abort" | undefined {
    return this.#ending;
  }

  hasTurn(): boolean {
    return this.#running !== undefined || this.#awaited;
  }

  isCutAhead(): boolean {
    return this.#early !== undefined;
  }

  expect(): void {
    this.#awaited = true;
  }

  turn<T>(work: (signal: AbortSignal, settled: () => void) => Promise<T>): Promise<T> {
    const own = new AbortController();
    this.#running = own;
    this.#harder = undefined;
    const code = this.#ending ?? this.#early;
    if (code !== undefined) own.abort(cancelReason(code));
    this.#awaited = false;
    this.#early = undefined;
    const settled = (): void => {
      if (this.#running === own) this.#running = undefined;
    };
    // A turn may last for days: this costs less than a function that is suspended.
    return work(own.signal, settled).finally(settled);
  }

  cut(code: CancelCode, isComing = false): boolean {
    if (this.#running !== undefined) this.#stopTurn(this.#running, code);
    else if (this.#awaited || isComing) this.#early ??= code;
    else return false;
    return true;
  }

  forget(): void {
    this.#early = undefined;
  }

  end(code: "close" | "abort"): void {
    this.#ending ??= code;
    this.done();
    if (this.#running !== undefined) this.#stopTurn(this.#running, code);
  }

  done(): void {
    this.#isOver = true;
    this.#stop?.abort();
  }

  #stopTurn(turn: AbortController, code: CancelCode): void {
    if (code !== "new_message") {
      turn.abort(cancelReason(code));
      this.#harder?.abort(cancelReason(code));
    } else if (!turn.signal.aborted) {
      this.#harder = new AbortController();
      turn.abort(gentleReason(this.#harder.signal));
    }
  }
}
