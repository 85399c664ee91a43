import type { Decision } from "../protocol/index.ts";
import { jsonEqual } from "../schema/index.ts";
import { withInput } from "./turned.ts";
import type { Judged, RefuseVerdict, RunVerdict } from "./types.ts";

/** The verdict that lets a judged call run. */
export function runVerdict(judged: Judged, decision: Decision, asked: boolean): RunVerdict {
  const { prepared, facts, input, targets } = judged;
  return {
    kind: "run",
    tool: prepared.tool,
    facts,
    input,
    targets,
    decision: finalInput(judged, decision),
    asked,
    hookContexts: prepared.hookContexts,
    basis: judged,
  };
}

/** The decision, with the input that it is about where hooks, the tool's check or an answer changed it. */
export function finalInput({ input, prepared }: Judged, decision: Decision): Decision {
  const changed = input !== prepared.call.input && !jsonEqual(input, prepared.call.input);
  return changed ? withInput(decision, input) : decision;
}

/** @param asked a person, a callback or a hook had a say in it. */
export function refuseVerdict(judged: Judged, decision: Decision, asked: boolean): RefuseVerdict {
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
