import { type RequestAnswer, runPermissionRequest, tellEffect } from "../hooks/index.ts";
import type { JsonObject, PermissionUpdate } from "../protocol/index.ts";
import { copyJson, jsonEqual } from "../schema/index.ts";
import { realForms } from "../workspace/index.ts";
import { asksForSafety, freshAsks } from "./fresh-asks.ts";
import { checkContext, judge, judgeAgain } from "./judge.ts";
import { placesOf } from "./places.ts";
import { holdsOf, hookCall, hookRunDeps } from "./pre-hooks.ts";
import { turned } from "./turned.ts";
import type { GateDeps, GateScope, Judged, Verdict } from "./types.ts";
import { addedDirectories } from "./updates.ts";
import { validate } from "./validate.ts";
import { refuseVerdict, runVerdict } from "./verdicts.ts";
import { throwIfAborted, wait } from "./waiting.ts";

/** What the PermissionRequest hooks made of a question. */
export type HookedAsk =
  | { readonly kind: "settled"; readonly verdict: Verdict }
  /** The question stays, about this call; the decision of `judged` may be the hooks' allow in scope `every-call`. */
  | { readonly kind: "open"; readonly judged: Judged };

const CHECK = "PermissionRequest hooks";

/**
 * Lets the PermissionRequest hooks answer in the person's stead. What an answer cannot settle stays a question: one
 * that a safety check asks, an edit that raises another one, updates that cannot be applied.
 *
 * @throws Cancelled
 */
export async function askRequestHooks(judged: Judged, deps: GateDeps, scope: GateScope): Promise<HookedAsk> {
  const { prepared, input, decision } = judged;
  const question = {
    ...hookCall(prepared.tool, input, prepared.call.id, deps, scope),
    holds: holdsOf(judged),
    reason: decision.message,
    suggestions: () => suggestionsOf(judged),
  };
  const effect = await runPermissionRequest(deps.hooks, question, scope.signal, hookRunDeps(deps));
  tellEffect(effect, deps);
  throwIfAborted(scope.signal);
  const { answer, stop } = effect;
  if (stop !== undefined) {
    const message = `A PermissionRequest hook ended the run, so this did not run: ${stop.reason}`;
    return { kind: "settled", verdict: { ...refusedBy(judged, message), stop } };
  }
  if (answer === undefined) return { kind: "open", judged };
  if (answer.behavior === "deny") {
    const verdict = refusedBy(judged, answer.message);
    return { kind: "settled", verdict: answer.interrupt ? { ...verdict, interrupt: true } : verdict };
  }
  if (asksForSafety(judged, deps.platform.clock.now())) {
    deps.notify("warning", `${judged.facts.name}: ${UNSAFE}`);
    return { kind: "open", judged };
  }
  return allow(judged, answer, deps, scope);
}

const UNSAFE =
  "the allow of a PermissionRequest hook does not count, because a safety check asks about the call.";

async function allow(
  asked: Judged,
  answer: Extract<RequestAnswer, { behavior: "allow" }>,
  deps: GateDeps,
  scope: GateScope,
): Promise<HookedAsk> {
  const open = (problem: string): HookedAsk => {
    deps.notify("warning", `The answer of ${answer.by} about ${asked.facts.name} does not count: ${problem}`);
    return { kind: "open", judged: asked };
  };
  const { tool } = asked.prepared;
  let input: JsonObject | undefined;
  if (answer.updatedInput !== undefined) {
    const validated = await validate(tool, answer.updatedInput, checkContext(deps, scope));
    if (!validated.ok) return open(`its updatedInput does not fit. ${validated.text}`);
    input = validated.input;
  }
  if (answer.updates.length > 0) {
    const forms = await wait(realForms(deps.platform, addedDirectories(answer.updates)), scope.signal);
    const change = deps.policy.update(answer.updates, "PermissionRequest hook", forms);
    if (!change.ok) return open(`its updatedPermissions could not be applied: ${change.error}`);
  }
  if (input === undefined) {
    return decideAgain(
      await judgeAgain(asked.prepared, asked.input, asked.check, deps, scope),
      asked,
      answer,
      deps,
    );
  }
  const again = await judge(asked.prepared, input, deps, scope);
  if (!again.ok) return open(`its updatedInput does not fit. ${again.text}`);
  return decideAgain(again.judged, asked, answer, deps);
}

function decideAgain(
  judged: Judged,
  before: Judged,
  answer: Extract<RequestAnswer, { behavior: "allow" }>,
  deps: GateDeps,
): HookedAsk {
  const { decision } = judged;
  const now = deps.platform.clock.now();
  if (decision.behavior === "deny") {
    return { kind: "settled", verdict: refuseVerdict(judged, decision, true) };
  }
  const edited = !jsonEqual(judged.input, before.input);
  const isOpen = edited
    ? freshAsks(before, judged, now).length > 0
    : decision.behavior === "ask" && !jsonEqual(placesOf(judged), placesOf(before));
  if (isOpen || asksForSafety(judged, now)) return { kind: "open", judged };
  const detail = `Allowed by a PermissionRequest hook (${answer.by}).`;
  const allowed = turned(decision, {
    behavior: "allow",
    message: detail,
    reason: { type: "hook", detail },
    check: CHECK,
  });
  if (deps.canUseToolScope === "every-call" && deps.canUseTool !== undefined) {
    return { kind: "open", judged: { ...judged, decision: allowed } };
  }
  return { kind: "settled", verdict: { ...runVerdict(judged, allowed, false), hookAnswered: true } };
}

function refusedBy(judged: Judged, message: string) {
  const reason = { type: "hook", detail: message } as const;
  return refuseVerdict(
    judged,
    turned(judged.decision, { behavior: "deny", message, reason, check: CHECK }),
    true,
  );
}

/** Copied: what a hook does to them changes nothing. What cannot be undone is never remembered. */
function suggestionsOf({ decision, facts }: Judged): readonly PermissionUpdate[] {
  if (facts.destructive) return [];
  const copied = copyJson(decision.suggestions);
  return copied.ok ? (copied.value as unknown as readonly PermissionUpdate[]) : [];
}
