import type { DecideCall } from "../permissions/index.ts";
import { decide } from "../permissions/index.ts";
import type { CheckContext, Decision, JsonObject } from "../protocol/index.ts";
import type { CheckOutcome } from "./check.ts";
import { runCheck } from "./check.ts";
import { gatherTargets } from "./targets.ts";
import { toolFacts } from "./tool-facts.ts";
import type { GateDeps, GateScope, Judged, Prepared } from "./types.ts";
import { messageOf } from "./waiting.ts";

export type Judgement =
  | { readonly ok: true; readonly judged: Judged }
  | { readonly ok: false; readonly text: string };

/**
 * The tool's own check, its targets on the disk, the policy as it is after these awaits, `decide()`.
 *
 * @throws Cancelled
 */
export async function judge(
  prepared: Prepared,
  input: JsonObject,
  deps: GateDeps,
  scope: GateScope,
): Promise<Judgement> {
  const context = checkContext(deps, scope);
  const checked = await runCheck(prepared.tool, input, context, deps.platform.clock);
  if (!checked.ok) return checked;
  return { ok: true, judged: await judgeAgain(prepared, checked.input, checked.check, deps, scope) };
}

/** The same without the tool's check, whose answer is known: disk and policy are looked at anew. */
export async function judgeAgain(
  prepared: Prepared,
  input: JsonObject,
  check: CheckOutcome | undefined,
  deps: GateDeps,
  scope: GateScope,
): Promise<Judged> {
  const { tool, hooks } = prepared;
  const gathered = await gatherTargets(tool, input, checkContext(deps, scope), deps.workspace);
  const targets = gathered.ok ? gathered.targets : [];
  // A deny stays one; everything else gives way to "nothing is known of what it touches".
  const isDeny = check !== undefined && "behavior" in check && check.behavior === "deny";
  const answer = gathered.ok || isDeny ? check : { failed: gathered.failed };
  const facts = toolFacts(tool, input);
  const now = deps.policy.current();
  const call: DecideCall = {
    tool: facts,
    input,
    targets,
    ...(answer === undefined ? {} : { check: answer }),
    ...(hooks === undefined ? {} : { hooks }),
  };
  return {
    prepared,
    facts,
    input,
    targets,
    ...(check === undefined ? {} : { check }),
    ...now,
    decision: decideClosed(call, now.policy, deps.platform.clock.now()),
  };
}

export function checkContext(deps: GateDeps, scope: GateScope): CheckContext {
  return {
    cwd: deps.services.shell?.cwd() ?? deps.policy.current().context.startDirectory,
    sessionId: deps.sessionId,
    signal: scope.signal,
    services: deps.services,
  };
}

/** A fault in the engine itself must not let a call through, and must not end the session. */
function decideClosed(call: DecideCall, policy: Judged["policy"], now: number): Decision {
  try {
    return decide(call, policy, now);
  } catch (error) {
    const detail = `The permission engine failed on this call: ${messageOf(error)}`;
    return {
      behavior: "deny",
      message: detail,
      reason: { type: "invalid", detail },
      hard: false,
      trace: [],
      suggestions: [],
    };
  }
}
