import { failureOf } from "./joined.ts";
import type { HookRun } from "./run-hook.ts";

export interface Opinion {
  readonly behavior: "allow" | "deny" | "ask" | "defer";
  readonly reason: string;
  readonly run: HookRun;
}

const WEIGHT = { allow: 1, ask: 2, defer: 3, deny: 4 } as const;

/** The opinions that win, in the order of the hooks: deny over defer over ask over allow. Empty: nobody has one. */
export function weigh(runs: readonly HookRun[]): readonly Opinion[] {
  const opinions = runs.flatMap((run) => opinionOf(run) ?? []);
  const weight = Math.max(0, ...opinions.map(({ behavior }) => WEIGHT[behavior]));
  return opinions.filter(({ behavior }) => WEIGHT[behavior] === weight);
}

/** Their reasons, each once. */
export function reasonsOf(opinions: readonly Opinion[]): string {
  return [...new Set(opinions.map(({ reason }) => reason))].join("; ");
}

function opinionOf(run: HookRun): Opinion | undefined {
  if ("failure" in run) {
    if (run.hook.onFailure === "continue") return undefined;
    return { behavior: run.hook.onFailure === "block" ? "deny" : "ask", reason: failureOf(run), run };
  }
  const { behavior, reason } = run.answer;
  if (behavior === undefined || (behavior === "allow" && run.hook.isPartial === true)) return undefined;
  return { behavior, reason: reason ?? `The hook ${run.hook.place} gave no reason`, run };
}
