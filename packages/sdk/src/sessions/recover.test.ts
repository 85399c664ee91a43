import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/setup/runs.ts";
import type { Message, SessionEvent } from "../protocol/index.ts";
import { EVENT_TYPES } from "../protocol/index.ts";
import { apply } from "./apply.ts";
import { fold } from "./fold.ts";
import { randomLog } from "./random-log.cases.ts";
import { openRound, recoverRound } from "./rounds.ts";
import type { SessionState } from "./state.ts";

const cutLog = fc.tuple(randomLog, fc.nat()).map(([log, at]) => ({ log, cut: at % (log.length + 1) }));

function finish(state: SessionState, data: ReturnType<typeof recoverRound>[number]): void {
  const { v } = EVENT_TYPES["tool.finished"];
  apply(state, { v, seq: state.lastSeq + 1, id: "r", ts: 0, type: "tool.finished", data });
}

/** Every call has one result, in source order, in the message right behind it. */
function expectValid(messages: readonly Message[]): void {
  for (const [i, message] of messages.entries()) {
    const next = messages[i + 1];
    if (message.role === "assistant") {
      const calls = message.parts.flatMap((part) => (part.type === "toolCall" ? [part.id] : []));
      const results = next?.role === "tool" ? next.parts.map((part) => part.callId) : [];
      expect(results).toEqual(calls);
    } else if (message.role === "tool") {
      expect(messages[i - 1]?.role).toBe("assistant");
    }
  }
}

describe("a log cut at any point", () => {
  it("recovers to a state in which every call gets exactly one result", () => {
    fc.assert(
      fc.property(cutLog, ({ log, cut }) => {
        const prefix = log.slice(0, cut);
        const state = fold(prefix);
        const mayRunAgain = repeatableOrNotStarted(prefix);
        for (const result of recoverRound(state)) finish(state, result);
        const missing = openRound(state)?.missing ?? [];
        expect(missing.map((part) => part.id)).toEqual(mayRunAgain);
        for (const { id, name } of missing) {
          finish(state, { callId: id, name, outcome: "finished", content: [], isError: false });
        }
        expect(openRound(state)).toBeUndefined();
        expectValid(state.messages);
      }),
      { numRuns: runs },
    );
  });

  it("folds on to the same state as the whole", () => {
    fc.assert(
      fc.property(cutLog, ({ log, cut }) => {
        const state = fold(log.slice(0, cut));
        for (const event of log.slice(cut)) apply(state, event);
        expect(state).toEqual(fold(log));
        expect(state.lastSeq).toBe(log.length);
      }),
      { numRuns: runs },
    );
  });
});

/** Worked out from the events alone. */
function repeatableOrNotStarted(events: readonly SessionEvent[]): string[] {
  const open = new Map<string, boolean>();
  for (const event of events) {
    if (event.type === "model.completed") {
      for (const part of event.data.message.parts) if (part.type === "toolCall") open.set(part.id, true);
    }
    if (event.type === "tool.started") open.set(event.data.callId, event.data.repeatable);
    if (event.type === "tool.finished") open.delete(event.data.callId);
  }
  return [...open].flatMap(([id, again]) => (again ? [id] : []));
}
