import type { SleepEnd } from "../../protocol/index.ts";
import type { TimerState } from "../../sessions/index.ts";
import { restWhile } from "../at-rest.ts";
import type { TimerParts } from "./timer-types.ts";

/** The calls that rest on a timer at this moment. */
export interface Sleepers {
  /** Resolves with why the rest is over; at once where there is a reason already. */
  rest(timer: TimerState, signal: AbortSignal): Promise<SleepEnd["kind"]>;
  /** `over`: those go on whose time has come. `news`: all do. */
  wake(why: "over" | "news"): void;
}

export function createSleepers(
  { platform, log }: Pick<TimerParts, "platform" | "log">,
  isOver: (timer: TimerState) => boolean,
  isNews: () => boolean,
): Sleepers {
  const sleepers = new Set<(why: "over" | "news") => void>();
  return {
    rest(timer, signal) {
      if (signal.aborted) return Promise.resolve("stopped");
      if (isOver(timer)) return Promise.resolve("over");
      if (isNews()) return Promise.resolve("news");
      const rested = restWhile(platform.clock, log.rest);
      return new Promise((resolve) => {
        const end = (kind: SleepEnd["kind"]): void => {
          if (kind === "over" && !isOver(timer)) return;
          sleepers.delete(end);
          signal.removeEventListener("abort", onAbort);
          rested();
          resolve(kind);
        };
        const onAbort = (): void => end("stopped");
        sleepers.add(end);
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
    wake(why) {
      for (const end of sleepers) end(why);
    },
  };
}
