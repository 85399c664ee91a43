import { type RequestAnswer, runPermissionRequest, tellEffect } from "../hooks/index.ts";
import { applyAnswer } from "./apply-answer.ts";
import { asksForSafety } from "./fresh-asks.ts";
import { holdsOf, hookCall, hookRunDeps } from "./hook-call.ts";
import { suggestionsOf } from "./suggestions.ts";
import { turned } from "./turned.ts";
import type { GateDeps, GateScope, Judged, Verdict } from "./types.ts";
import { unasked } from "./unasked.ts";
import { refuseVerdict, runVerdict } from "./verdicts.ts";
import { throwIfAborted } from "./waiting.ts";

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
  const applied = await applyAnswer(judged, answer, "PermissionRequest hook", deps, scope);
  if (applied.ok) return decideAgain(applied.judged, judged, answer, deps);
  const what = `The answer of ${answer.by} about ${judged.facts.name} does not count: ${applied.problem}`;
  deps.notify("warning", what);
  return { kind: "open", judged };
}

const UNSAFE =
  "the allow of a PermissionRequest hook does not count, because a safety check asks about the call.";

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
  const { fresh, moved } = unasked(judged, before, now);
  if (moved || fresh.length > 0 || asksForSafety(judged, now)) return { kind: "open", judged };
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
