import type { Clock, Platform } from "../../platform/index.ts";
import type { SessionTimer, SessionTimers, SleepEnd, TimerWish, WakeStore } from "../../protocol/index.ts";
import type { SessionLog } from "../../sessions/index.ts";
import type { Inbox } from "../running/inbox.ts";
import type { Teller } from "../running/teller.ts";
import type { LiveTimers } from "./live-timers.ts";
import { pendingTimers, restingCall } from "./pending-timers.ts";

/** What the timers of one session are made of. */
export interface TimerParts {
  readonly platform: { readonly clock: Clock; readonly ids: Platform["ids"] };
  /** Absent: the store keeps none, and nothing wakes the session once its process is gone. */
  readonly wakes: WakeStore | undefined;
  readonly log: SessionLog;
  readonly inbox: Pick<Inbox, "queued" | "stir">;
  readonly notify: Teller["notify"];
}

/** The timers of one session, with what only its host does. */
export interface OpenTimers extends SessionTimers {
  /** Goes on with what the log holds. Timers of a fork's original are not its own. */
  open(isFork: boolean): Promise<void>;
  /** A turn is to begin for a timer, were none on its way. */
  isDue(): boolean;
  /** Records what is due, with its messages. `opens`: a turn begins with them. Says whether there was any. */
  deliver(opens?: boolean): boolean;
  /** There is something to hear: who rests goes on. */
  stir(): void;
  /** A message of a person has come; one that wants in at the next border ends a rest. */
  heard(): void;
  /** Lets go of the clock, once what is on its way to the store is there. What is set stays set. */
  close(): Promise<void>;
}

/** Their code is loaded with the first timer, or for a session that has one. */
export function sessionTimers(parts: TimerParts): OpenTimers {
  return new LazyTimers(parts);
}

class LazyTimers implements OpenTimers {
  readonly #parts: TimerParts;
  #made: LiveTimers | undefined;
  #loading: Promise<LiveTimers> | undefined;

  constructor(parts: TimerParts) {
    this.#parts = parts;
  }

  list(): readonly SessionTimer[] {
    return pendingTimers(this.#parts.log.state);
  }

  async set(wish: TimerWish): Promise<SessionTimer | string> {
    return (await this.#live()).set(wish);
  }

  async clear(id: string): Promise<SessionTimer | undefined> {
    return this.#hasAny() ? (await this.#live()).clear(id) : undefined;
  }

  async sleep(callId: string, ms: number, signal: AbortSignal): Promise<SleepEnd> {
    return (await this.#live()).sleep(callId, ms, signal);
  }

  rests(callId: string): boolean {
    const timer = restingCall(this.#parts.log.state, callId);
    return timer !== undefined && timer.fired === undefined;
  }

  restsFor(ms: number): boolean {
    const { timers, round } = this.#parts.log.state;
    if (timers.size === 0) return false;
    return [...timers.values()].some(({ set, ofRound }) => {
      const input =
        ofRound && set.kind === "sleep" ? round?.calls.get(set.callId ?? "")?.part.input : undefined;
      const seconds = (input as { readonly seconds?: unknown } | null | undefined)?.seconds;
      return typeof seconds === "number" && Math.round(seconds * 1000) === ms;
    });
  }

  async open(isFork: boolean): Promise<void> {
    if (this.#hasAny()) await (await this.#live()).open(isFork);
  }

  isDue(): boolean {
    return this.#made?.isDue() === true;
  }

  deliver(opens = false): boolean {
    return this.#made?.deliver(opens) === true;
  }

  stir(): void {
    this.#made?.wakeSleepers();
    this.#parts.inbox.stir();
  }

  heard(): void {
    if (this.#parts.inbox.queued().some(({ priority }) => priority === "next")) this.#made?.wakeSleepers();
  }

  async close(): Promise<void> {
    await (await this.#loading)?.close();
  }

  #hasAny(): boolean {
    return this.#parts.log.state.timers.size > 0;
  }

  #live(): Promise<LiveTimers> {
    this.#loading ??= import("./live-timers.ts").then(({ createLiveTimers }) => {
      this.#made = createLiveTimers(this.#parts);
      return this.#made;
    });
    return this.#loading;
  }
}
