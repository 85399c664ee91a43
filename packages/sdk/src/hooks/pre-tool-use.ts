import type { Clock } from "../platform/index.ts";
import type { EventData, HookInput, JsonObject } from "../protocol/index.ts";
import { jsonEqual } from "../schema/index.ts";
import type { HookTable } from "./compile.ts";
import { ranEvent } from "./ran-event.ts";
import type { HookRun } from "./run-hook.ts";
import { type CallFields, type HookCall, runMatching } from "./run-matching.ts";

/** What all matching hooks together mean for the call. */
export interface PreToolUseEffect {
  readonly behavior?: "allow" | "deny" | "ask";
  readonly reason?: string;
  /** The input with every rewrite in it. Not validated yet. */
  readonly updatedInput?: JsonObject;
  readonly contexts: readonly string[];
  /** A hook answered `continue: false`: the call must not run, and the run ends. */
  readonly stop?: { readonly reason: string };
  readonly systemMessages: readonly string[];
  /** Failures and unknown keys, for a person. */
  readonly warnings: readonly string[];
  readonly runs: readonly EventData<"hook.ran">[];
}

/**
 * Runs the matching PreToolUse hooks in parallel and joins their answers in the order in which the
 * hooks were given, however long each took: deny, then ask, then allow.
 *
 * Never rejects. When `signal` has fired, the caller drops the effect.
 */
export async function runPreToolUse(
  table: HookTable,
  call: HookCall,
  signal: AbortSignal,
  deps: { readonly clock: Clock },
): Promise<PreToolUseEffect> {
  const hooks = table.matching("PreToolUse", call.subject);
  if (hooks.length === 0) return NO_EFFECT;
  const complete = (fields: CallFields): HookInput => ({ ...fields, hook_event_name: "PreToolUse" });
  const runs = await runMatching(hooks, call, complete, signal, deps.clock);
  return merge(runs, call);
}

const NO_EFFECT: PreToolUseEffect = { contexts: [], systemMessages: [], warnings: [], runs: [] };
const WEIGHT = { allow: 1, ask: 2, deny: 3 } as const;

interface Opinion {
  readonly behavior: "allow" | "deny" | "ask";
  readonly reason: string;
}

function merge(runs: readonly HookRun[], call: HookCall): PreToolUseEffect {
  const answers = runs.flatMap((run) => ("answer" in run ? [{ place: run.hook.place, ...run.answer }] : []));
  const opinions = runs.flatMap((run) => opinionOf(run) ?? []);
  const weight = Math.max(0, ...opinions.map((opinion) => WEIGHT[opinion.behavior]));
  const winners = opinions.filter((opinion) => WEIGHT[opinion.behavior] === weight);
  const stop = answers.find((answer) => answer.stop !== undefined)?.stop;
  const updatedInput = chain(
    call.input,
    answers.flatMap((answer) => (answer.updatedInput === undefined ? [] : [answer.updatedInput])),
  );
  return {
    ...(winners[0] === undefined
      ? {}
      : { behavior: winners[0].behavior, reason: [...new Set(winners.map((o) => o.reason))].join("; ") }),
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...(stop === undefined ? {} : { stop }),
    contexts: answers.flatMap((answer) => answer.context ?? []),
    systemMessages: answers.flatMap((answer) => answer.systemMessage ?? []),
    warnings: runs.flatMap(warningsOf),
    runs: runs.map((run) => ranEvent(run, call.toolUseId)),
  };
}

function opinionOf(run: HookRun): Opinion | undefined {
  if ("failure" in run) {
    if (run.hook.onFailure === "continue") return undefined;
    const behavior = run.hook.onFailure === "block" ? "deny" : "ask";
    return { behavior, reason: `The hook ${run.hook.place} failed: ${run.failure}` };
  }
  const { behavior, reason } = run.answer;
  if (behavior === undefined) return undefined;
  return { behavior, reason: reason ?? `The hook ${run.hook.place} gave no reason` };
}

export function warningsOf(run: HookRun): readonly string[] {
  if ("failure" in run) return [`The ${run.hook.event} hook ${run.hook.place} failed: ${run.failure}.`];
  return run.answer.warnings.map(
    (key) =>
      `The ${run.hook.event} hook ${run.hook.place} answered with the unknown key "${key}", which does nothing.`,
  );
}

/**
 * Each hook saw the same input. A rewrite therefore counts as the keys that it changed, and these
 * are applied one hook after the other: two hooks that change different keys both have their way.
 */
function chain(input: JsonObject, rewrites: readonly JsonObject[]): JsonObject | undefined {
  const result = new Map(Object.entries(input));
  let changed = false;
  for (const rewrite of rewrites) {
    for (const key of new Set([...Object.keys(input), ...Object.keys(rewrite)])) {
      const next = Object.hasOwn(rewrite, key) ? rewrite[key] : undefined;
      if (jsonEqual(next, Object.hasOwn(input, key) ? input[key] : undefined)) continue;
      changed = true;
      if (next === undefined) result.delete(key);
      else result.set(key, next);
    }
  }
  return changed ? Object.fromEntries(result) : undefined;
}
