import type { JsonObject, PermissionUpdate } from "../protocol/index.ts";
import { chainRewrites } from "./chain-rewrites.ts";
import type { HookTable } from "./compile.ts";
import { type CommonEffect, joined } from "./joined.ts";
import { type HookCall, type HookRunDeps, runMatching } from "./run-matching.ts";
import { reasonsOf, weigh } from "./weigh.ts";

/** An answer in the person's stead. */
export type RequestAnswer =
  | {
      readonly behavior: "allow";
      /** The reasons of those who allowed, or where they were given. */
      readonly by: string;
      /** With every rewrite in it. Not validated yet. */
      readonly updatedInput?: JsonObject;
      readonly updates: readonly PermissionUpdate[];
    }
  | { readonly behavior: "deny"; readonly message: string; readonly interrupt: boolean };

/** What all matching hooks together mean for the question. Without an answer the person is asked. */
export interface PermissionRequestEffect extends CommonEffect {
  readonly answer?: RequestAnswer;
}

export interface HookQuestion extends HookCall {
  readonly reason: string;
  /** Asked for only when a hook matches. Copied for each hook. */
  readonly suggestions: () => readonly PermissionUpdate[];
}

/**
 * Runs the matching PermissionRequest hooks in parallel. A deny wins over a failure (which leaves the question
 * to the person), and that over an allow. Never rejects.
 */
export async function runPermissionRequest(
  table: HookTable,
  question: HookQuestion,
  signal: AbortSignal,
  deps: HookRunDeps,
): Promise<PermissionRequestEffect> {
  const runs = await runMatching(
    table,
    "PermissionRequest",
    question,
    (fields) => ({
      ...fields,
      hook_event_name: "PermissionRequest",
      decision_reason: question.reason,
      permission_suggestions: question.suggestions(),
    }),
    signal,
    deps,
  );
  const effect = joined(runs, question.toolUseId);
  const winners = weigh(runs);
  const answers = winners.flatMap(({ run }) => ("answer" in run ? [run.answer] : []));
  switch (winners[0]?.behavior) {
    case "deny": {
      const interrupt = answers.some((answer) => answer.interrupt === true);
      return { ...effect, answer: { behavior: "deny", message: reasonsOf(winners), interrupt } };
    }
    case "allow": {
      const rewrites = answers.flatMap(({ updatedInput: one }) => (one === undefined ? [] : [one]));
      const updatedInput = chainRewrites(question.input, rewrites);
      const answer = {
        behavior: "allow" as const,
        by: winners.map(({ run }) => run.hook.place).join(", "),
        updates: answers.flatMap((each) => each.updates ?? []),
        ...(updatedInput === undefined ? {} : { updatedInput }),
      };
      return { ...effect, answer };
    }
    default:
      return effect;
  }
}
