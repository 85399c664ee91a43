import type { EventData } from "../protocol/index.ts";
import { OUTCOME_UNKNOWN } from "../protocol/index.ts";
import type { SessionState } from "./state.ts";

/**
 * The results to record in a fork for calls that were open in the original: they are the original's to run, and none of
 * them runs twice.
 */
export function forkedRound(state: SessionState): EventData<"tool.finished">[] {
  const results: EventData<"tool.finished">[] = [];
  for (const { part, started, finished } of state.round?.calls.values() ?? []) {
    if (finished !== undefined) continue;
    const text = started === undefined ? NOT_RUN : OUTCOME_UNKNOWN;
    results.push({
      callId: part.id,
      name: part.name,
      outcome: started === undefined ? "cancelled" : "unknown",
      content: [{ type: "text", text }],
      isError: true,
    });
  }
  return results;
}

const NOT_RUN =
  "Not run: the conversation was copied into a new session before this call ran. Call again if it is still wanted.";
