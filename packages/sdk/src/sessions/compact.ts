import { CastellanError, type EventData } from "../protocol/index.ts";
import { spend } from "./spending.ts";
import type { SessionState } from "./state.ts";

/** Puts a summary in the place of the beginning of the history. Nothing but the history and the count of what was spent moves. */
export function compact(state: SessionState, data: EventData<"compacted">, seq: number): void {
  const { kept, messages, summary, model, usage, costUsd } = data;
  if (state.round !== undefined || kept + messages !== state.messages.length || messages < 1) {
    throw new CastellanError(
      "log_corrupt",
      `Event ${seq} of session ${state.sessionId} sums up ${messages} messages and keeps ${kept}, but the history holds ` +
        `${state.messages.length}${state.round === undefined ? "" : ", and calls of its last message have no result"}.`,
      { subject: state.sessionId },
    );
  }
  // `slice(-0)` would keep all of them.
  state.messages = [summary, ...state.messages.slice(messages)];
  const before = state.compacted;
  state.compacted = {
    data,
    times: (before?.times ?? 0) + 1,
    taken: before === undefined ? messages : before.taken + messages - 1,
  };
  if (model === undefined) return;
  const paid = { model, usage, ...(costUsd === undefined ? {} : { costUsd }) };
  spend(state, paid);
  spend(state.total, paid);
}
