import type { Decision } from "../protocol/index.ts";
import { turned } from "./turned.ts";
import type { GateDeps, Judged, Verdict } from "./types.ts";
import { unasked } from "./unasked.ts";
import { refuseVerdict, runVerdict } from "./verdicts.ts";

const CALLBACK = {
  message: "Allowed by canUseTool.",
  reason: { type: "callback", detail: "Allowed by canUseTool." },
} as const;

/**
 * What was decided again for a call that a person has allowed: only a new refusal counts.
 *
 * @param allowed what the allow says of itself.
 */
export function settleAnswered(
  judged: Judged,
  before: Judged,
  deps: GateDeps,
  allowed: Pick<Decision, "message" | "reason"> = CALLBACK,
): Verdict {
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
  const { message, reason } = allowed;
  const check = reason.type === "approval" ? "inbox" : "canUseTool";
  return runVerdict(judged, turned(decision, { behavior: "allow", message, reason, check }), true);
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

/** The deny of a person. */
export function denied(decision: Decision, message: string): Decision {
  return turned(decision, {
    behavior: "deny",
    message,
    reason: { type: "callback", detail: message },
    check: "canUseTool",
  });
}
