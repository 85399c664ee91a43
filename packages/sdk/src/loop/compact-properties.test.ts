import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadCompaction, messageTokens } from "../context/index.ts";
import { nodePlatform } from "../platform/index.ts";
import type { EventData, Message, SessionEvent, UserMessage } from "../protocol/index.ts";
import { apply } from "../sessions/apply.ts";
import { fold } from "../sessions/fold.ts";
import { originals } from "../sessions/originals.ts";
import { createWriterOfLogs, randomLog } from "../sessions/random-log.cases.ts";
import { readSession } from "../sessions/read-session.ts";
import { encodeState, makeSnapshot } from "../sessions/snapshot.ts";
import { emptyState, type SessionState } from "../sessions/state.ts";
import { memoryStore } from "../sessions/stores/memory/memory.ts";

const RUNS = Number(process.env.CASTELLAN_RUNS ?? 200);
const platform = nodePlatform();
const parts = { release: "0.1.0", sha256: platform.sha256 };
const { planCut } = await loadCompaction();
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const summaryOf = (at: number): UserMessage => ({
  role: "user",
  parts: [{ type: "text", text: `summary ${at}` }],
});

/** A compaction as the loop records it. */
function compactedAt(state: SessionState, events: readonly SessionEvent[], keep: number) {
  const at = planCut(state.messages, keep, state.compacted !== undefined);
  if (at === undefined) return undefined;
  const own = state.compacted === undefined ? 0 : 1;
  const behind = originals(events.slice(state.compacted?.data.through ?? 0));
  // What the store holds behind the last compaction is the history that is there.
  expect(behind.map(({ message }) => message)).toEqual(state.messages.slice(own));
  const kept = state.messages.length - at;
  return {
    trigger: "threshold",
    summary: summaryOf(events.length),
    kept,
    messages: at,
    through: kept === 0 ? state.lastSeq : (behind[at - own]?.seq ?? 0) - 1,
    words: [],
    tokensBefore: 2,
    tokensAfter: 1,
    model: "m",
    usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
    durationMs: 1,
  } satisfies EventData<"compacted">;
}

/** Each call has its one result in the message behind it, and no result is without its call. */
function expectWhole(messages: readonly Message[], open: boolean): void {
  for (const [at, message] of messages.entries()) {
    const calls =
      message.role === "assistant" ? message.parts.filter((part) => part.type === "toolCall") : [];
    const next = messages[at + 1];
    if (calls.length > 0 && !(open && at === messages.length - 1)) {
      expect(next?.role).toBe("tool");
      expect(next?.parts.map((part) => "callId" in part && part.callId)).toEqual(calls.map(({ id }) => id));
    }
    if (message.role === "tool") expect(messages[at - 1]?.role).toBe("assistant");
  }
}

/** The same log with compactions wherever `when` says so and there is something to sum up. */
function withCompactions(log: readonly SessionEvent[], when: () => number, keep: number) {
  const writer = createWriterOfLogs();
  const state = emptyState();
  const add = (type: never, data: never): void => {
    writer.add(type, data);
    apply(state, copy(writer.events.at(-1) as SessionEvent));
  };
  let times = 0;
  for (const { type, data } of log) {
    add(type as never, data as never);
    if (state.round !== undefined || when() % 3 > 0) continue;
    const compacted = compactedAt(state, writer.events, keep);
    if (compacted === undefined) continue;
    add("compacted" as never, compacted as never);
    times += 1;
    expectWhole(state.messages, false);
  }
  return { events: writer.events, state, times };
}

describe("compaction at any point of any log", () => {
  it("splits no round, loses no message, and folds from a snapshot as from the start", async () => {
    let compactions = 0;
    await fc.assert(
      fc.asyncProperty(
        randomLog,
        fc.infiniteStream(fc.nat(100)),
        fc.nat(60),
        fc.nat(),
        async (log, stream, keep, at) => {
          const { events, state, times } = withCompactions(log, () => stream.next().value, keep);
          compactions += times;
          expectWhole(state.messages, state.round !== undefined);
          expect(encodeState(fold(copy(events)))).toBe(encodeState(state));

          // All that was ever said is in the log, in its order, whatever was summed up.
          const whole = originals(copy(events)).map(({ message }) => message);
          expect(whole).toEqual(fold(copy(log)).messages);
          const taken = state.compacted?.taken ?? 0;
          expect(whole.slice(taken)).toEqual(state.messages.slice(taken === 0 ? 0 : 1));

          const seq = 1 + (at % events.length);
          const snapshot = makeSnapshot(fold(copy(events.slice(0, seq))), events[seq - 1]?.id ?? "", parts);
          const store = memoryStore();
          await store.append([{ sessionId: "s1", project: "/w", expectedSeq: 0, batchId: "b", events }]);
          const read = await readSession({ ...store, readSnapshot: async () => snapshot }, "s1", parts);
          expect(read?.snapshotSeq).toBe(seq);
          expect(encodeState(read?.state ?? emptyState())).toBe(encodeState(state));
        },
      ),
      { numRuns: RUNS },
    );
    expect(compactions).toBeGreaterThan(RUNS / 4);
  });

  it("counts what summaries cost, in the result and in the total", () => {
    fc.assert(
      fc.property(randomLog, fc.infiniteStream(fc.nat(100)), (log, stream) => {
        const { state, times } = withCompactions(log, () => stream.next().value, 10);
        expect(state.total.usage.inputTokens - fold(copy(log)).total.usage.inputTokens).toBe(times);
      }),
      { numRuns: 50 },
    );
  });
});

describe("an event of compaction that does not fit its log", () => {
  it.each([
    ["keeps more than there is", { kept: 9 }],
    ["takes nothing away", { messages: 0, kept: 1 }],
    ["takes away more than there is", { messages: 5 }],
  ])("is refused where it %s", (_, wrong) => {
    const writer = createWriterOfLogs();
    writer.add("session.started", { sessionId: "s1", cwd: "/w", release: "0.1.0" });
    writer.add("user.message", { message: summaryOf(1) });
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const data = { trigger: "manual", summary: summaryOf(2), kept: 0, messages: 1, through: 2 } as const;
    const rest = { words: [], tokensBefore: 1, tokensAfter: 1, usage, durationMs: 1 };
    writer.add("compacted", { ...data, ...rest, ...wrong });
    expect(() => fold(writer.events)).toThrow(/Event 3 of session s1 sums up/);
  });
});

describe("planCut", () => {
  const user = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });
  const said = (text: string): Message => ({ role: "assistant", id: text, parts: [{ type: "text", text }] });
  const long = "word ".repeat(400);

  it("keeps as much of the end as is wished, and no more than a round that is too long", () => {
    const history = [user("a"), said(long), user("b"), said(long), user("c"), said("ok")];
    const end = history.slice(3).reduce((sum, message) => sum + messageTokens(message), 0);
    expect(planCut(history, end, false)).toBe(3);
    expect(planCut(history, end - 1, false)).toBe(4);
    expect(planCut([user("a"), said("b"), user("c"), said(long)], 10, false)).toBe(4);
  });

  it("takes nothing where the agent has said nothing, and never the summary alone", () => {
    expect(planCut([user(long)], 10, false)).toBeUndefined();
    expect(planCut([user("summary")], 10, true)).toBeUndefined();
    expect(planCut([user("summary"), user(long)], 10, true)).toBeUndefined();
    expect(planCut([], 10, false)).toBeUndefined();
  });
});
