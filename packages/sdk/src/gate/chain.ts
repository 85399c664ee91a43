import type { Decision } from "../protocol/index.ts";
import { applyAnswer } from "./apply-answer.ts";
import { askCallback } from "./ask-callback.ts";
import { goesToInbox, isDeferred } from "./goes-to-inbox.ts";
import type { Answer } from "./read-answer.ts";
import { askRequestHooks } from "./request-hooks.ts";
import { askClosed, denied, settleAnswered } from "./settle-answered.ts";
import { turned } from "./turned.ts";
import type { GateDeps, GateScope, Judged, RefuseVerdict, Verdict } from "./types.ts";
import { refuseVerdict, runVerdict } from "./verdicts.ts";

/**
 * Brings a judged call to its end: what the rules settled, or the ask chain in its fixed order.
 *
 * Rejects with Cancelled.
 */
export function settle(judged: Judged, deps: GateDeps, scope: GateScope): Verdict | Promise<Verdict> {
  const { decision } = judged;
  if (decision.behavior === "deny") return refuseVerdict(judged, decision, false);
  if (decision.behavior === "allow" && deps.canUseToolScope === "ask") {
    return runVerdict(judged, decision, false);
  }
  // Who defers wants somebody to look at it, and no hook to answer instead.
  return decision.behavior === "ask" && deps.hooks.has("PermissionRequest") && !isDeferred(judged)
    ? askHooks(judged, deps, scope)
    : askPerson(judged, deps, scope);
}

async function askHooks(judged: Judged, deps: GateDeps, scope: GateScope): Promise<Verdict> {
  const hooked = await askRequestHooks(judged, deps, scope);
  return hooked.kind === "settled" ? hooked.verdict : askPerson(hooked.judged, deps, scope);
}

/** The last links of the chain. An allow comes here with the scope `every-call` alone. */
function askPerson(judged: Judged, deps: GateDeps, scope: GateScope): Verdict | Promise<Verdict> {
  const closed = askClosed(judged);
  if (closed !== undefined) return refuseVerdict(judged, closed, false);
  const inbox = goesToInbox(judged, deps);
  if (inbox === true) return askInbox(judged, deps, scope);
  if (inbox === false) return askHere(judged, deps, scope);
  return inbox.then((goes) => (goes ? askInbox : askHere)(judged, deps, scope));
}

/** Most sessions never ask there: its code is loaded with the first question. */
export async function askInbox(judged: Judged, deps: GateDeps, scope: GateScope): Promise<Verdict> {
  const inbox = await import("./ask-inbox.ts");
  return inbox.askInbox(judged, deps, scope);
}

/** The person that this process knows, if there is one. */
function askHere(judged: Judged, deps: GateDeps, scope: GateScope): Verdict | Promise<Verdict> {
  const { decision } = judged;
  if (deps.canUseTool === undefined) {
    return decision.behavior === "allow"
      ? runVerdict(judged, decision, false)
      : refuseVerdict(judged, nobody(judged), false);
  }
  const asking = askCallback(deps.canUseTool, judged, deps, scope);
  return asking.then((answer) => answered(answer, judged, deps, scope));
}

async function answered(answer: Answer, judged: Judged, deps: GateDeps, scope: GateScope): Promise<Verdict> {
  const { decision } = judged;
  if (answer.kind === "allow") {
    const applied = await applyAnswer(judged, answer, "canUseTool", deps, scope);
    if (!applied.ok) return badAnswer(judged, applied.problem, deps);
    return settleAnswered(applied.judged, judged, deps);
  }
  if (answer.kind === "deny") {
    const verdict = refuseVerdict(judged, denied(decision, answer.message), true);
    return answer.interrupt ? { ...verdict, interrupt: true } : verdict;
  }
  const verdict = badAnswer(judged, answer.problem, deps);
  return answer.interrupt === true ? { ...verdict, interrupt: true } : verdict;
}

function nobody({ decision, facts }: Judged): Decision {
  // Whoever needs a person in every mode is helped by no rule.
  const fix = facts.requiresUser
    ? ""
    : decision.hard
      ? " A canUseTool would settle it; no allow rule does."
      : " An allow rule (allowedTools) for it, or a canUseTool, would settle it.";
  const message = `${decision.message} Nobody could be asked (no canUseTool is set), so it is refused.${fix}`;
  return turned(decision, {
    behavior: "deny",
    message,
    reason: { type: "noApprover", detail: message },
    check: "nobody there",
  });
}

function badAnswer(judged: Judged, problem: string, deps: GateDeps): RefuseVerdict {
  const { name } = judged.facts;
  deps.notify("warning", `canUseTool gave no usable answer about ${name}: ${problem}. The call was denied.`);
  return refuseVerdict(
    judged,
    denied(judged.decision, `${name} was denied: canUseTool gave no usable answer: ${problem}.`),
    true,
  );
}
