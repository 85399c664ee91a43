import type { SessionTimer, SleepEnd, TimerWish } from "../../protocol/index.ts";
import { pendingTimers, restingCall } from "./pending-timers.ts";
import type { LiveTimers, OpenTimers, Talkative, TimerParts } from "./timer-types.ts";

/** Their code is loaded with the first timer, or for a session that has one. */
export function sessionTimers(parts: TimerParts): OpenTimers {
  return new LazyTimers(parts);
}

class LazyTimers implements OpenTimers {
  readonly #parts: TimerParts;
  #shells: Talkative | undefined;
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

  listenTo(shells: Talkative): void {
    this.#shells = shells;
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
      this.#made = createLiveTimers(this.#parts, () => this.#shells?.hasNews() === true);
      return this.#made;
    });
    return this.#loading;
  }
}
