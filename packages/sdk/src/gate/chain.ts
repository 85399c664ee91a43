import type { Decision } from "../protocol/index.ts";
import { applyAnswer } from "./apply-answer.ts";
import { askCallback } from "./ask-callback.ts";
import type { Answer } from "./read-answer.ts";
import { askRequestHooks } from "./request-hooks.ts";
import { turned } from "./turned.ts";
import type { GateDeps, GateScope, Judged, RefuseVerdict, Verdict } from "./types.ts";
import { unasked } from "./unasked.ts";
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
  return decision.behavior === "ask" && deps.hooks.has("PermissionRequest")
    ? askHooks(judged, deps, scope)
    : askPerson(judged, deps, scope);
}

async function askHooks(judged: Judged, deps: GateDeps, scope: GateScope): Promise<Verdict> {
  const hooked = await askRequestHooks(judged, deps, scope);
  return hooked.kind === "settled" ? hooked.verdict : askPerson(hooked.judged, deps, scope);
}

/** The last links of the chain. An allow comes here with the scope `every-call` alone. */
function askPerson(judged: Judged, deps: GateDeps, scope: GateScope): Verdict | Promise<Verdict> {
  const { decision } = judged;
  const closed = askClosed(judged);
  if (closed !== undefined) return refuseVerdict(judged, closed, false);
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

/** What was decided again for a call that a person has allowed: only a new refusal counts. */
export function settleAnswered(judged: Judged, before: Judged, deps: GateDeps): Verdict {
  const { decision } = judged;
  if (decision.behavior === "deny") return refuseVerdict(judged, decision, true);
  const closed = askClosed(judged);
  const { edited, fresh, moved } = unasked(judged, before, deps.platform.clock.now());
  if (edited && closed !== undefined) return refuseVerdict(judged, closed, true);
  if (moved) {
    const message = `The call was allowed, but meanwhile a path in it has come to mean another place on the disk, which nobody was asked about. ${decision.message}`;
    return refuseVerdict(judged, denied(decision, message), true);
  }
  if (fresh.length > 0) {
    const message = `The call was allowed with a changed input, and that raises a question which nobody was asked: ${fresh.join(" ")}`;
    return refuseVerdict(judged, denied(decision, message), true);
  }
  const message = "Allowed by canUseTool.";
  const turn = {
    behavior: "allow",
    message,
    reason: { type: "callback", detail: message },
    check: "canUseTool",
  } as const;
  return runVerdict(judged, turned(decision, turn), true);
}

/** Work that can ask nobody: its question is a refusal before a person hears of it. Modes that ask nobody are `decide()`'s. */
export function askClosed({ decision, context }: Judged): Decision | undefined {
  if (decision.behavior !== "ask" || !context.avoidPrompts) return undefined;
  const message = `${decision.message} This work runs in the background and can ask nobody, so it is refused.`;
  return turned(decision, {
    behavior: "deny",
    message,
    reason: { type: "noApprover", detail: message },
    check: "avoidPrompts",
  });
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

function denied(decision: Decision, message: string): Decision {
  return turned(decision, {
    behavior: "deny",
    message,
    reason: { type: "callback", detail: message },
    check: "canUseTool",
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
