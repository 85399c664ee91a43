import { describe, expect, it } from "vitest";
import type { EventData, SessionEventType } from "../protocol/index.ts";
import { fold } from "./fold.ts";
import { closedFork } from "./fork.ts";
import { project } from "./project.ts";
import { createWriterOfLogs } from "./random-log.cases.ts";
import { encodeState, makeSnapshot, openSnapshot } from "./snapshot.ts";
import { NO_TIMERS } from "./state.ts";

type Line = { readonly [T in SessionEventType]: readonly [T, EventData<T>] }[SessionEventType];

const WAKE = { timerId: "t1", kind: "wakeup", at: 100, callId: "c1", prompt: "p" } as const;
const CRON = { timerId: "t2", kind: "cron", at: 100, prompt: "q", cron: "* * * * *", zone: "UTC" } as const;
const REST = { timerId: "t3", kind: "sleep", at: 100, callId: "c1" } as const;
const message = { role: "user", parts: [{ type: "text", text: "told" }] } as const;

function logOf(...lines: readonly Line[]) {
  const log = createWriterOfLogs();
  log.add("session.started", { sessionId: "s1", cwd: "/w", release: "0" });
  for (const [type, data] of lines) log.add(type, data as never);
  return log.events;
}
const stateOf = (...lines: readonly Line[]) => fold(logOf(...lines));

const called: Line = [
  "model.completed",
  {
    model: "m",
    message: {
      role: "assistant",
      id: "m1",
      parts: [{ type: "toolCall", id: "c1", name: "Sleep", input: { seconds: 1 } }],
    },
    usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
    stopReason: "tool_use",
    durationMs: 1,
  },
];
const finished: Line = [
  "tool.finished",
  { callId: "c1", name: "Sleep", outcome: "finished", content: [], isError: false },
];

describe("timers in the state", () => {
  it("a wake-up that fired stays until its message is there, and no longer", () => {
    const fired: Line = ["timer.fired", { timerId: "t1", at: 105, due: 100 }];
    const between = stateOf(["timer.set", WAKE], fired);
    expect(between.timers.get("t1")).toMatchObject({ at: 100, fired: { due: 100 } });
    const after = stateOf(["timer.set", WAKE], fired, [
      "user.message",
      { message, synthetic: true, timerId: "t1" },
    ]);
    expect(after.timers).toEqual(new Map());
    expect(after.messages).toEqual([message]);
    expect(after.userMessageId).toBeUndefined();
  });

  it("a cron goes on to its next time, also before it is heard", () => {
    const fired: Line = ["timer.fired", { timerId: "t2", at: 105, due: 100, next: 160 }];
    expect(stateOf(["timer.set", CRON], fired).timers.get("t2")).toMatchObject({
      at: 160,
      fired: { next: 160 },
    });
    const heard = stateOf(["timer.set", CRON], fired, [
      "user.message",
      { message, synthetic: true, timerId: "t2" },
    ]);
    expect(heard.timers.get("t2")).toMatchObject({ at: 160 });
    expect(heard.timers.get("t2")).not.toHaveProperty("fired");
  });

  it("a Sleep stays until its round is over, other timers for longer", () => {
    const open = stateOf(called, ["timer.set", REST], ["timer.set", WAKE]);
    expect([...open.timers.values()].map(({ ofRound }) => ofRound)).toEqual([true, true]);
    const over = stateOf(called, ["timer.set", REST], ["timer.set", WAKE], finished);
    expect([...over.timers.values()]).toMatchObject([{ set: { timerId: "t1" }, ofRound: false }]);
  });

  it("what is cleared is gone, and what is not known changes nothing", () => {
    expect(stateOf(["timer.set", CRON], ["timer.cleared", { timerId: "t2", by: "deleted" }]).timers).toBe(
      NO_TIMERS,
    );
    const strange = stateOf(
      ["timer.fired", { timerId: "x", at: 1, due: 1 }],
      ["timer.cleared", { timerId: "x", by: "deleted" }],
      ["user.message", { message, synthetic: true, timerId: "x" }],
    );
    expect(strange.timers).toBe(NO_TIMERS);
  });

  it("a turn that begins by itself counts anew, and is one until a person joins it", () => {
    const asked: Line = ["model.requested", { model: "m", turn: 1, messages: 1 }];
    const opens: Line = ["user.message", { message, synthetic: true, opens: true }];
    const woken = stateOf(["user.message", { message }], asked, asked, opens);
    expect([woken.turn, woken.woken]).toEqual([0, true]);
    const beside = stateOf(["user.message", { message }], asked, [
      "user.message",
      { message, synthetic: true },
    ]);
    expect([beside.turn, beside.woken]).toEqual([1, undefined]);
    expect(stateOf(opens, ["user.message", { message }]).woken).toBeUndefined();
  });

  it("a snapshot holds them as they are", () => {
    const events = logOf(
      ["timer.set", CRON],
      ["timer.fired", { timerId: "t2", at: 105, due: 100, next: 160 }],
    );
    const state = fold(events);
    const parts = { release: "0", sha256: (text: string) => `${text.length}` };
    const opened = openSnapshot(makeSnapshot(state, events.at(-1)?.id ?? "", parts), parts);
    expect(opened?.state.timers).toEqual(state.timers);
    expect(encodeState(stateOf())).not.toContain("timers");
  });

  it("a copy that nobody runs yet has none", () => {
    const events = logOf(["timer.set", CRON], ["timer.set", WAKE]);
    const copy = closedFork(events, fold(events), { sessionId: "s2", release: "0", id: () => "i", now: 1 });
    expect(fold(copy).timers).toBe(NO_TIMERS);
  });

  it("people are told of each step", () => {
    const log = logOf(
      ["timer.set", CRON],
      ["timer.fired", { timerId: "t2", at: 90_100, due: 100, late: 90_000, next: 160 }],
      ["timer.cleared", { timerId: "t2", by: "deleted" }],
    );
    const told = log.flatMap((_, i) => project(log[i] as never, fold(log.slice(0, i + 1))));
    expect(told).toMatchObject([
      {
        subtype: "timer_set",
        timer_id: "t2",
        kind: "cron",
        due_at: 100,
        cron: "* * * * *",
        timezone: "UTC",
        prompt: "q",
      },
      { subtype: "timer_fired", timer_id: "t2", due_at: 100, late_ms: 90_000, next_at: 160 },
      { subtype: "timer_cleared", timer_id: "t2", reason: "deleted" },
    ]);
  });
});
