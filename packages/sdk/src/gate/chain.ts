import type { Decision, JsonObject } from "../protocol/index.ts";
import { jsonEqual } from "../schema/index.ts";
import { realForms } from "../workspace/index.ts";
import { askCallback } from "./ask-callback.ts";
import { freshAsks } from "./fresh-asks.ts";
import { checkContext, judge, judgeAgain } from "./judge.ts";
import type { Answer } from "./read-answer.ts";
import { turned, withInput } from "./turned.ts";
import type { GateDeps, GateScope, Judged, RefuseVerdict, Verdict } from "./types.ts";
import { addedDirectories } from "./updates.ts";
import { validate } from "./validate.ts";
import { wait } from "./waiting.ts";

/**
 * Brings a judged call to its end: what the rules settled, or the ask chain in its fixed order.
 *
 * @throws Cancelled
 */
export async function settle(judged: Judged, deps: GateDeps, scope: GateScope): Promise<Verdict> {
  const { decision } = judged;
  if (decision.behavior === "deny") return refuse(judged, decision);
  if (decision.behavior === "allow" && deps.canUseToolScope === "ask") return run(judged, decision, false);
  const closed = askClosed(judged);
  if (closed !== undefined) return refuse(judged, closed);
  if (deps.canUseTool === undefined) {
    return decision.behavior === "allow" ? run(judged, decision, false) : refuse(judged, nobody(decision));
  }
  const answer = await askCallback(deps.canUseTool, judged, deps, scope);
  if (answer.kind === "allow") return allowed(judged, answer, deps, scope);
  if (answer.kind === "deny") {
    const verdict = refuse(judged, denied(decision, answer.message), true);
    return answer.interrupt ? { ...verdict, interrupt: true } : verdict;
  }
  const verdict = badAnswer(judged, answer.problem, deps);
  return answer.interrupt === true ? { ...verdict, interrupt: true } : verdict;
}

/** What was decided again for a call that a person has allowed: only a new refusal counts. */
export function settleAnswered(judged: Judged, before: Judged, deps: GateDeps): Verdict {
  const { decision } = judged;
  if (decision.behavior === "deny") return refuse(judged, decision, true);
  const closed = askClosed(judged);
  if (closed !== undefined && judged.context.mode !== before.context.mode)
    return refuse(judged, closed, true);
  const edited = !jsonEqual(judged.input, before.input);
  if (edited && closed !== undefined) return refuse(judged, closed, true);
  if (!edited && decision.behavior === "ask" && !jsonEqual(placesOf(judged), placesOf(before))) {
    const message = `The call was allowed, but meanwhile a path in it has come to mean another place on the disk, which nobody was asked about. ${decision.message}`;
    return refuse(judged, denied(decision, message), true);
  }
  const fresh = edited ? freshAsks(before, judged, deps.platform.clock.now()) : [];
  if (fresh.length > 0) {
    const message = `The call was allowed with a changed input, and that raises a question which nobody was asked: ${fresh.join(" ")}`;
    return refuse(judged, denied(decision, message), true);
  }
  const message = "Allowed by canUseTool.";
  const turn = {
    behavior: "allow",
    message,
    reason: { type: "callback", detail: message },
    check: "canUseTool",
  } as const;
  return run(judged, turned(decision, turn), true);
}

/** Where the paths of a call really lie: what was allowed is these places, not the words for them. */
function placesOf({ targets }: Judged): readonly (string | undefined)[] {
  return targets.flatMap((target) =>
    target.kind === "path" ? target.resolutions.map((path) => path.real) : [],
  );
}

/** Mode and setting that turn a question into a refusal before anybody hears of it. */
function askClosed({ decision, context }: Judged): Decision | undefined {
  if (decision.behavior !== "ask") return undefined;
  if (context.mode === "dontAsk") {
    return turned(decision, {
      behavior: "deny",
      message: `${decision.message} Mode dontAsk refuses what would be a question.`,
      reason: { type: "mode", mode: "dontAsk" },
      check: "mode dontAsk",
    });
  }
  if (!context.avoidPrompts) return undefined;
  const message = `${decision.message} This work runs in the background and can ask nobody, so it is refused.`;
  return turned(decision, {
    behavior: "deny",
    message,
    reason: { type: "noApprover", detail: message },
    check: "avoidPrompts",
  });
}

function nobody(decision: Decision): Decision {
  const message = `${decision.message} Nobody could be asked (no canUseTool is set), so it is refused.`;
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

async function allowed(
  asked: Judged,
  answer: Extract<Answer, { kind: "allow" }>,
  deps: GateDeps,
  scope: GateScope,
): Promise<Verdict> {
  let input: JsonObject | undefined;
  if (answer.updatedInput !== undefined) {
    const validated = await validate(asked.prepared.tool, answer.updatedInput, checkContext(deps, scope));
    if (!validated.ok) return badAnswer(asked, `its updatedInput does not fit. ${validated.text}`, deps);
    input = validated.input;
  }
  if (answer.updates.length > 0) {
    const forms = await wait(realForms(deps.platform, addedDirectories(answer.updates)), scope.signal);
    const change = deps.policy.update(answer.updates, "canUseTool", forms);
    if (!change.ok)
      return badAnswer(asked, `its updatedPermissions could not be applied: ${change.error}`, deps);
  }
  if (input === undefined) {
    const again = await judgeAgain(asked.prepared, asked.input, asked.check, deps, scope);
    return settleAnswered(again, asked, deps);
  }
  const again = await judge(asked.prepared, input, deps, scope);
  if (!again.ok) return badAnswer(asked, `its updatedInput does not fit. ${again.text}`, deps);
  return settleAnswered(again.judged, asked, deps);
}

function badAnswer(judged: Judged, problem: string, deps: GateDeps): RefuseVerdict {
  const { name } = judged.facts;
  deps.notify("warning", `canUseTool gave no usable answer about ${name}: ${problem}. The call was denied.`);
  return refuse(
    judged,
    denied(judged.decision, `${name} was denied: canUseTool gave no usable answer: ${problem}.`),
    true,
  );
}

function run(judged: Judged, decision: Decision, asked: boolean): Verdict {
  const { prepared, facts, input, targets } = judged;
  const changed = input !== prepared.call.input && !jsonEqual(input, prepared.call.input);
  return {
    kind: "run",
    tool: prepared.tool,
    facts,
    input,
    targets,
    decision: changed ? withInput(decision, input) : decision,
    asked,
    hookContexts: prepared.hookContexts,
    basis: judged,
  };
}

function refuse(judged: Judged, decision: Decision, asked = false): RefuseVerdict {
  return {
    kind: "refuse",
    code: "denied",
    text: decision.message,
    tool: judged.prepared.tool,
    decision,
    input: judged.input,
    ...(asked ? { asked: true as const } : {}),
    hookContexts: judged.prepared.hookContexts,
  };
}
