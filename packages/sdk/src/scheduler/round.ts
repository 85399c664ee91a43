import { setMaxListeners } from "node:events";
import type { Clock } from "../platform/index.ts";
import type { CancelCode } from "../protocol/index.ts";
import { cancelCode, cancelReason, harderStop, isSessionEnd } from "./cancel-reason.ts";
import { GRACE_MS } from "./outlast.ts";
import type { RoundOutcome } from "./types.ts";

/** What all calls of one round share. */
export interface Round {
  /** Fires with the session's signal, and when something inside the round ends it. */
  readonly signal: AbortSignal;
  /** The same for calls whose tool says "block", and for what they store: a new message lets them finish. */
  patient(): AbortSignal;
  /** Milliseconds that a call may still take once it is stopped. */
  readonly graceMs: number;
  /** What is left of them; all while `patient()` has not fired. */
  graceLeft(): number;
  /**
   * Why no further call may begin, as a clause; undefined while the round goes on.
   *
   * @param isInside asked for a call that a handler makes: one that finishes may make them still.
   */
  ended(isInside?: boolean): string | undefined;
  denyAndInterrupt(): void;
  stop(reason: string): void;
  /** All that is left waits in the inbox: the turn ends, and the calls stay open. */
  pause(): void;
  /** It is stopped as the session ends or pauses: that is no word about its calls, as an interrupt is one. */
  staysOpen(): boolean;
  /** The log cannot be written: everything that runs is stopped, and the round throws `error`. */
  fail(error: unknown): void;
  /** The same round as calls see it that are made under another signal, with another grace. */
  under(signal: AbortSignal, graceMs: number): Round;
  /** @throws what `fail` was given. */
  close(): RoundOutcome;
}

export function createRound(outer: AbortSignal, clock: Clock): Round {
  return new RunningRound(outer, clock);
}

class RunningRound implements Round {
  readonly signal: AbortSignal;
  readonly graceMs: number = GRACE_MS;
  readonly #outer: AbortSignal;
  readonly #clock: Clock;
  readonly #inner = new AbortController();
  readonly #onAbort = (): void => this.#onOuter();
  #patient: AbortController | undefined;
  /** Everything is to stop, whatever its tool says. */
  #stopped: CancelCode | undefined;
  #isDenied = false;
  #isPaused = false;
  #stop: { readonly reason: string } | undefined;
  #failure: { readonly error: unknown } | undefined;
  #endedAt: number | undefined;

  constructor(outer: AbortSignal, clock: Clock) {
    this.signal = this.#inner.signal;
    this.#outer = outer;
    this.#clock = clock;
    // Each call that runs listens once; more than ten of them are no leak.
    setMaxListeners(0, this.signal);
    outer.addEventListener("abort", this.#onAbort, { once: true });
    if (outer.aborted) this.#onAbort();
  }

  graceLeft(): number {
    if (this.#endedAt === undefined) return GRACE_MS;
    return Math.max(0, GRACE_MS - (this.#clock.monotonic() - this.#endedAt));
  }

  patient(): AbortSignal {
    if (this.#patient === undefined) {
      this.#patient = new AbortController();
      setMaxListeners(0, this.#patient.signal);
      if (this.#stopped !== undefined) this.#patient.abort(cancelReason(this.#stopped));
    }
    return this.#patient.signal;
  }

  ended(isInside = false): string | undefined {
    if (this.#isDenied) return "another call was refused and the run interrupted with it";
    if (this.#failure !== undefined) return "the session's log could not be written";
    if (this.signal.aborted && !(isInside && this.#stopped === undefined)) return clause(this.signal);
    return this.#stop === undefined ? undefined : `a hook ended the run (${this.#stop.reason})`;
  }

  denyAndInterrupt(): void {
    this.#isDenied = true;
    this.#end("interrupt");
  }

  stop(reason: string): void {
    this.#stop ??= { reason };
  }

  pause(): void {
    if (this.signal.aborted) return;
    this.#isPaused = true;
    this.#end("close");
  }

  staysOpen(): boolean {
    return isSessionEnd(this.signal);
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#end("abort");
  }

  under(signal: AbortSignal, graceMs: number): Round {
    return new Lane(this, signal, graceMs);
  }

  close(): RoundOutcome {
    this.#outer.removeEventListener("abort", this.#onAbort);
    if (this.#failure !== undefined) throw this.#failure.error;
    const by = this.#isDenied ? "denied_interrupt" : this.#outer.aborted ? "signal" : undefined;
    return {
      ...(by === undefined ? {} : { interrupted: { by } }),
      ...(this.#stop === undefined ? {} : { stop: this.#stop }),
      ...(this.#isPaused && by === undefined ? { paused: true } : {}),
    };
  }

  #onOuter(): void {
    const harder = harderStop(this.#outer);
    if (harder === undefined) {
      this.#end(cancelCode(this.#outer));
      return;
    }
    const stopAll = (): void => this.#end(cancelCode(harder));
    harder.addEventListener("abort", stopAll, { once: true });
    if (harder.aborted) stopAll();
    else this.#inner.abort(cancelReason(cancelCode(this.#outer)));
  }

  #end(code: CancelCode): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = code;
    this.#endedAt = this.#clock.monotonic();
    this.#inner.abort(cancelReason(code));
    this.#patient?.abort(cancelReason(code));
  }
}

function clause({ reason }: AbortSignal): string {
  return reason.message.replace(/\.$/, "").toLowerCase();
}

class Lane implements Round {
  readonly signal: AbortSignal;
  readonly graceMs: number;
  readonly #round: Round;

  constructor(round: Round, signal: AbortSignal, graceMs: number) {
    this.#round = round;
    this.signal = signal;
    this.graceMs = graceMs;
  }

  patient(): AbortSignal {
    return this.signal;
  }

  graceLeft(): number {
    return this.#round.graceLeft();
  }

  ended(): string | undefined {
    return this.#round.ended(true) ?? (this.signal.aborted ? clause(this.signal) : undefined);
  }

  denyAndInterrupt(): void {
    this.#round.denyAndInterrupt();
  }

  stop(reason: string): void {
    this.#round.stop(reason);
  }

  pause(): void {
    this.#round.pause();
  }

  staysOpen(): boolean {
    return isSessionEnd(this.signal);
  }

  fail(error: unknown): void {
    this.#round.fail(error);
  }

  under(signal: AbortSignal, graceMs: number): Round {
    return new Lane(this.#round, signal, graceMs);
  }

  close(): RoundOutcome {
    return this.#round.close();
  }
}
