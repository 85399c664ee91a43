import type { Question, Ruling } from "../approvals/index.ts";
import type { Decision } from "../protocol/index.ts";
import { jsonEqual } from "../schema/index.ts";
import { applyAnswer } from "./apply-answer.ts";
import { shownCall } from "./ask-callback.ts";
import { isDeferred } from "./goes-to-inbox.ts";
import { judgeAgain } from "./judge.ts";
import { settleAnswered } from "./settle-answered.ts";
import { suggestionsOf } from "./suggestions.ts";
import { turned } from "./turned.ts";
import type { GateDeps, GateScope, Judged, Verdict } from "./types.ts";
import { refuseVerdict, runVerdict } from "./verdicts.ts";
import { wait } from "./waiting.ts";

/**
 * Lets somebody outside of this process answer. What they say goes the way of every answer: edits are validated, what is
 * remembered is applied, and the call is decided again under what holds then. Rules and mode that change meanwhile may
 * settle the call without anybody.
 *
 * @throws Cancelled
 */
export async function askInbox(asked: Judged, deps: GateDeps, scope: GateScope): Promise<Verdict> {
  const { desk } = deps;
  if (desk === undefined) throw new Error("there is no inbox");
  const { spot, signal } = scope;
  let judged = asked;
  for (;;) {
    const question = desk.ask(questionOf(judged, deps, scope), {
      signal,
      parked: (how) => spot?.parked(how) ?? (() => {}),
      isLeft: () => spot?.isLeft() === true,
    });
    const stop = whenSettled(judged, deps, scope, () => desk.settle(judged.prepared.call.id));
    let ruling: Ruling;
    try {
      ruling = await wait(question, signal);
    } finally {
      stop();
    }
    if (ruling.kind !== "settled") return ruled(judged, ruling, deps, scope);
    judged = await judgeAgain(judged.prepared, judged.input, judged.check, deps, scope);
    if (judged.decision.behavior === "deny") return refuseVerdict(judged, judged.decision, false);
    if (judged.decision.behavior === "allow") return runVerdict(judged, judged.decision, false);
  }
}

/**
 * Calls `settled` once a change of rules or mode decides the call. Gives what stops that.
 */
function whenSettled(judged: Judged, deps: GateDeps, scope: GateScope, settled: () => void): () => void {
  const { prepared, input, check } = judged;
  let isOver = false;
  const look = async (): Promise<void> => {
    try {
      const now = await judgeAgain(prepared, input, check, deps, scope);
      if (!isOver && now.decision.behavior !== "ask") settled();
    } catch {
      // The run ends, and with it the question.
    }
  };
  const unhear = deps.policy.onChange(() => void look());
  // It may have changed since the question was put.
  if (deps.policy.current().policy !== judged.policy) void look();
  return () => {
    isOver = true;
    unhear();
  };
}

function ruled(
  judged: Judged,
  ruling: Exclude<Ruling, { kind: "settled" }>,
  deps: GateDeps,
  scope: GateScope,
): Verdict | Promise<Verdict> {
  if (ruling.kind === "approve") return approved(judged, ruling, deps, scope);
  if (ruling.kind === "stopped") {
    const message = `A Notification hook ended the run, so this did not run: ${ruling.reason}`;
    return { ...refuseVerdict(judged, denied(judged, message), true), stop: { reason: ruling.reason } };
  }
  return refuseVerdict(judged, denied(judged, rejectedText(judged, ruling)), true);
}

async function approved(
  judged: Judged,
  ruling: Extract<Ruling, { kind: "approve" }>,
  deps: GateDeps,
  scope: GateScope,
): Promise<Verdict> {
  const { by, updatedInput, updates } = ruling;
  const isEdit = updatedInput !== undefined && !jsonEqual(updatedInput, judged.input);
  const answer = { updates, ...(isEdit ? { updatedInput } : {}) };
  const applied = await applyAnswer(judged, answer, `approval by ${by}`, deps, scope);
  const { name } = judged.facts;
  if (!applied.ok) {
    const message = `${name} was approved by ${by}, but not as it can run: ${applied.problem}`;
    return refuseVerdict(judged, denied(judged, message), true);
  }
  const message = `Approved by ${by}.`;
  return settleAnswered(applied.judged, judged, deps, {
    message,
    reason: { type: "approval", detail: message },
  });
}

function rejectedText(
  { decision, facts }: Judged,
  ruling: Extract<Ruling, { kind: "reject" | "expired" }>,
): string {
  if (ruling.kind === "expired") {
    return `Nobody answered in time whether ${facts.name} may run, so it did not run. Nobody has refused it either. ${decision.message}`;
  }
  const { by, reason } = ruling;
  return reason === undefined || reason.trim() === ""
    ? `${facts.name} was rejected by ${by}, without a reason.`
    : `${facts.name} was rejected by ${by}: ${reason}`;
}

function denied({ decision }: Judged, message: string): Decision {
  const reason = { type: "approval", detail: message } as const;
  return turned(decision, { behavior: "deny", message, reason, check: "inbox" });
}

function questionOf(judged: Judged, { platform }: GateDeps, scope: GateScope): Question {
  const { decision, facts, input, prepared, context } = judged;
  const { message, reason, rule } = decision;
  const rules = context.rules.map(({ text, behavior, source }) => [text, behavior, source]);
  return {
    callId: prepared.call.id,
    name: facts.name,
    input,
    agentId: scope.agentId,
    ...{ message, reason, rule },
    suggestions: suggestionsOf(judged),
    title: shownCall(judged).title,
    // Only a rule hands a question to a program, and never one that a tool has for its user.
    approver: rule?.approver === "auto" && !facts.requiresUser ? "auto" : "human",
    policyVersion: platform.sha256(JSON.stringify([context.mode, rules])),
    isDeferred: isDeferred(judged),
  };
}
