import type { Clock, Platform } from "../../platform/index.ts";
import type { SessionTimers, WakeStore } from "../../protocol/index.ts";
import type { SessionLog } from "../../sessions/index.ts";

/** What the timers of one session are made of. */
export interface TimerParts {
  readonly platform: { readonly clock: Clock; readonly ids: Platform["ids"] };
  /** Absent: the store keeps none, and nothing wakes the session once its process is gone. */
  readonly wakes: WakeStore | undefined;
  readonly log: SessionLog;
  readonly inbox: {
    queued(): readonly { readonly priority: "now" | "next" | "later" }[];
    stir(): void;
  };
  /** For people. Must not throw. */
  notify(level: "warning", message: string): void;
}

/** Who may have something to say at the next border. */
export interface Talkative {
  hasNews(): boolean;
}

/** What a session's host does with its timers. */
export interface HostTimers {
  /** Goes on with what the log holds. Timers of a fork's original are not its own. */
  open(isFork: boolean): Promise<void>;
  /** A turn is to begin for a timer, were none on its way. */
  isDue(): boolean;
  /** Records what is due, with its messages. `opens`: a turn begins with them. Says whether there was any. */
  deliver(opens?: boolean): boolean;
  /** Lets go of the clock, once what is on its way to the store is there. What is set stays set. */
  close(): Promise<void>;
}

/** The timers of one session, with what only its host does. */
export interface OpenTimers extends SessionTimers, HostTimers {
  /** Background commands, of which one that has ended is something to hear too. */
  listenTo(shells: Talkative): void;
  /** There is something to hear: who rests goes on. */
  stir(): void;
  /** A message of a person has come; one that wants in at the next border ends a rest. */
  heard(): void;
}

/** The same, of a session that has some. */
export interface LiveTimers extends Pick<SessionTimers, "set" | "clear" | "sleep">, HostTimers {
  wakeSleepers(): void;
}
