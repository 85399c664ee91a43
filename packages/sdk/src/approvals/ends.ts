import type { ApprovalDecision, ApprovalEnd } from "../protocol/index.ts";

const TEXTS: Readonly<Record<ApprovalEnd, string>> = {
  expired: "its time passed and nobody had decided",
  cancelled: "the call was cancelled",
  changed: "the call is asked about with another input now",
  settled: "rules or mode settled the call",
  lost: "its input was redacted in the log, and the run that knew it is over",
};

/** Why an approval is over, as a clause. */
export function endText(why: ApprovalEnd): string {
  return TEXTS[why];
}

/** What stands in the place of a decision once a question was taken back, so that no other can come. */
export function endedDecision(why: ApprovalEnd, now: number): ApprovalDecision {
  return { behavior: "reject", decidedBy: "session", decidedAt: now, ended: why };
}
