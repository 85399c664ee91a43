import { runStop, tellEffect } from "../hooks/index.ts";
import type { LoopDeps, TurnEnd } from "./deps.ts";
import { interrupted } from "./interrupted.ts";

/** How often in a row Stop hooks may keep a run going. */
export const MOST_STOP_BLOCKS = 8;

type Completed = Extract<TurnEnd, { kind: "completed" }>;

/** Asks the Stop hooks of one user turn. */
export interface StopWatch {
  /** The end that it comes to; undefined where a hook has told the model to go on. */
  settle(end: Completed, signal: AbortSignal): Promise<TurnEnd | undefined>;
  /** A person has said something: blocks count from here. */
  reset(): void;
}

/** Undefined where no Stop hook stands. */
export function watchStop(deps: LoopDeps): StopWatch | undefined {
  const { hooks, log, platform } = deps;
  if (hooks?.table.has("Stop") !== true) return undefined;
  let blocks = 0;
  return {
    async settle(end, signal) {
      const told = { text: end.text, isActive: blocks > 0 };
      const runDeps = { clock: platform.clock, started: hooks.started };
      const effect = await runStop(hooks.table, hooks.input(), told, signal, runDeps);
      tellEffect(effect, { recorder: log, notify: hooks.notify });
      if (signal.aborted) return interrupted(signal);
      if (effect.stop !== undefined) return { kind: "hook_stopped", reason: effect.stop.reason };
      if (effect.blocks.length === 0) return end;
      if (blocks === MOST_STOP_BLOCKS) {
        hooks.notify(
          "warning",
          `Stop hooks have kept the run going ${MOST_STOP_BLOCKS} times in a row, so it ends in spite of them.`,
        );
        return end;
      }
      blocks += 1;
      const text = `The run is not over, says a Stop hook: ${effect.blocks.join("; ")}`;
      const message = { role: "user", parts: [{ type: "text", text }] } as const;
      log.record("user.message", { message, synthetic: true });
      return undefined;
    },
    reset() {
      blocks = 0;
    },
  };
}
