import type { EventData } from "../protocol/index.ts";
import { ranEvent } from "./ran-event.ts";
import type { HookRun } from "./run-hook.ts";

/** What the hooks of every event may come to. */
export interface CommonEffect {
  /** A hook answered `continue: false`: the run ends. */
  readonly stop?: { readonly reason: string };
  /** What the model is to read beside what it gets. */
  readonly contexts: readonly string[];
  readonly systemMessages: readonly string[];
  /** Failures and what does nothing, for a person. */
  readonly warnings: readonly string[];
  readonly runs: readonly EventData<"hook.ran">[];
}

/** Joins what is common to all events, in the order of the hooks. The first stop holds. */
export function joined(runs: readonly HookRun[], toolUseId: string | undefined): CommonEffect {
  const answers = runs.flatMap((run) => ("answer" in run ? [run.answer] : []));
  const stop = answers.find((answer) => answer.stop !== undefined)?.stop;
  return {
    ...(stop === undefined ? {} : { stop }),
    contexts: answers.flatMap((answer) => answer.context ?? []),
    systemMessages: answers.flatMap((answer) => answer.systemMessage ?? []),
    warnings: runs.flatMap(warningsOf),
    runs: runs.map((run) => ranEvent(run, toolUseId)),
  };
}

/** The objections of PostToolUse, UserPromptSubmit and Stop hooks; a failure is one where `onFailure` says so. */
export function blocksOf(runs: readonly HookRun[]): readonly string[] {
  return runs.flatMap((run) => {
    if ("answer" in run) return run.answer.block === true ? [run.answer.reason ?? "it gave no reason"] : [];
    return run.hook.onFailure === "block" ? [failureOf(run)] : [];
  });
}

/** A failed run in words. */
export function failureOf(run: Extract<HookRun, { failure: string }>): string {
  return `The hook ${run.hook.place} failed: ${run.failure}`;
}

function warningsOf(run: HookRun): readonly string[] {
  const { event, place, isPartial, condition } = run.hook;
  if ("failure" in run) return [`The ${event} hook ${place} failed: ${run.failure}.`];
  const warnings = run.answer.warnings.map(
    (key) => `The ${event} hook ${place} answered with the unknown key "${key}", which does nothing.`,
  );
  if (isPartial !== true || run.answer.behavior !== "allow") return warnings;
  const why = `only a part of the call falls under its if (${condition}), or not all of it could be seen`;
  return [...warnings, `The allow of the ${event} hook ${place} does not count: ${why}.`];
}
