import type { Clock } from "../platform/index.ts";
import type { ApprovalDecision, ApprovalEnd, ApprovalStore, EventData } from "../protocol/index.ts";
import { ring } from "./bell.ts";
import type { DeskParts } from "./desk-types.ts";
import { endedDecision } from "./ends.ts";

type Requested = EventData<"approval.requested">;

/** How the session ends a question without anybody's word. */
export interface TakeBack {
  /** Takes it out of the inbox, unless somebody has decided: then gives that decision. */
  takeBack(requested: Requested, why: ApprovalEnd): Promise<ApprovalDecision | undefined>;
  /** Says so in the log. */
  recordEnd(requested: Requested, why: ApprovalEnd): void;
  /** Both, where no decision counts any more: the log says so at once, the inbox as soon as it can. */
  drop(requested: Requested, why: ApprovalEnd): void;
}

/** @param track told of what the session waits for before it closes. */
export function createTakeBack(
  parts: { readonly store: ApprovalStore; readonly clock: Clock; readonly log: DeskParts["log"] },
  track: (work: Promise<unknown>) => void,
): TakeBack {
  const { store, clock, log } = parts;

  async function takeBack(
    { approvalId }: Requested,
    why: ApprovalEnd,
  ): Promise<ApprovalDecision | undefined> {
    const answer = await store.decide(approvalId, endedDecision(why, clock.now()));
    ring(store, approvalId);
    if (answer.ok || answer.code === "approval_not_found") return undefined;
    const decision = await store.decisionOf(approvalId);
    return decision?.ended === undefined ? decision : undefined;
  }

  function recordEnd({ approvalId, callId }: Requested, why: ApprovalEnd): void {
    log.record("approval.expired", { approvalId, callId, at: clock.now(), why });
  }

  return {
    takeBack,
    recordEnd,
    drop(requested, why) {
      try {
        const known = log.state.approvals.get(requested.callId)?.requested;
        if (known?.approvalId === requested.approvalId) recordEnd(requested, why);
      } catch {
        // The log is closed: whoever opens it next ends the question.
      }
      // Where the store cannot be told, the record stays open there, and nothing runs by it.
      track(takeBack(requested, why));
    },
  };
}
