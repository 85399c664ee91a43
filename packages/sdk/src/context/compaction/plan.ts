import type { Message } from "../../protocol/index.ts";
import { messageTokens } from "../estimate.ts";

/** A tail may be this many times longer than wished before none at all is kept. */
const PATIENCE = 2.5;

/**
 * Where to cut a history: how many messages from its beginning give way to a summary. Undefined where nothing could be
 * won. A cut stands before an answer of the model, or before the message of a person that follows one: never between
 * calls and their results, and never where several messages joined the history at once.
 *
 * @param keep tokens that should stay as they are, at the end.
 * @param hasSummary the first message is a summary.
 */
export function planCut(messages: readonly Message[], keep: number, hasSummary: boolean): number | undefined {
  const least = hasSummary ? 2 : 1;
  if (messages.length < least) return undefined;
  let tail = 0;
  let cut = messages.length;
  for (let at = messages.length - 1; at >= least; at -= 1) {
    tail += messageTokens(messages[at] as Message);
    if (!mayCut(messages, at)) continue;
    // The last round stays if it can at all: it is what the model works with.
    if (tail > (cut === messages.length ? keep * PATIENCE : keep)) break;
    cut = at;
  }
  // Without a word of the agent there is nothing to sum up.
  return messages.slice(hasSummary ? 1 : 0, cut).some(({ role }) => role === "assistant") ? cut : undefined;
}

/** Whether a history may begin, behind its summary, with this message. */
export function mayCut(messages: readonly Message[], at: number): boolean {
  const role = messages[at]?.role;
  return role === "assistant" || (role === "user" && messages[at - 1]?.role === "assistant");
}
