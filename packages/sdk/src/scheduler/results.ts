import type { CancelCode, EventData, ResultPart } from "../protocol/index.ts";
import { OUTCOME_UNKNOWN } from "../protocol/index.ts";

/** All of a `tool.finished` but whose it is. */
export type Ending = Omit<EventData<"tool.finished">, "callId" | "name">;

const CAUSES: Readonly<Record<CancelCode, string>> = {
  interrupt: "the run was interrupted",
  close: "the session was closed",
  timeout: "it took longer than it may",
  new_message: "a new message came",
  abort: "the run was aborted",
};

export function textEnding(outcome: Ending["outcome"], text: string): Ending {
  return { outcome, content: [textPart(text)], isError: true };
}

export function textPart(text: string): ResultPart {
  return { type: "text", text };
}

/** For a call that never began. */
export function notRun(why: string): Ending {
  return textEnding("cancelled", `This call did not run: ${why}.`);
}

export function notRunFor(code: CancelCode): Ending {
  return notRun(CAUSES[code]);
}

/** For a call that was stopped on its way. */
export function cancelledBy(code: CancelCode, how: "threw" | "hung" | "dropped"): Ending {
  const after = {
    threw: "It may have done a part of its work.",
    hung: "It did not stop in time and may still be at work.",
    dropped: "What it had so far was dropped.",
  }[how];
  return textEnding("cancelled", `This call was cancelled: ${CAUSES[code]}. ${after}`);
}

export function timedOut(name: string, ms: number, how: "threw" | "hung"): Ending {
  const after = how === "hung" ? " It did not stop when told to and may still be at work." : "";
  return textEnding("failed", `${name} timed out after ${ms} ms and was stopped.${after}`);
}

/** For a call that had begun when an earlier run broke off, and may not run twice. */
export function unknownOutcome(): Ending {
  return textEnding("unknown", OUTCOME_UNKNOWN);
}
