import { describe, expect, it } from "vitest";
import type { SessionEvent, Usage } from "../protocol/index.ts";
import { fold } from "./fold.ts";
import { createWriterOfLogs } from "./random-log.cases.ts";
import { openRound, recoverRound } from "./rounds.ts";
import { resultTotals } from "./spending.ts";

type Writer = ReturnType<typeof createWriterOfLogs>;

const usage: Usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 2, cacheWriteTokens: 1 };
const text = (value: string) => ({ type: "text", text: value }) as const;

function started(): Writer {
  const log = createWriterOfLogs();
  log.add("session.started", { sessionId: "s1", cwd: "/work", release: "0.1.0", title: "A title" });
  log.add("session.configured", {
    model: "m",
    mode: "acceptEdits",
    tools: ["Bash"],
    rules: [],
    additionalDirectories: [["/extra", "cliArg"]],
  });
  return log;
}

function user(log: Writer, value: string, synthetic?: boolean): void {
  const message = { role: "user", parts: [text(value)] } as const;
  log.add("user.message", synthetic === undefined ? { message } : { message, synthetic });
}

function answer(log: Writer, calls: readonly string[], model = "m", costUsd?: number): void {
  log.add("model.requested", { model, turn: 1, messages: 1 });
  const parts = calls.map((id) => ({ type: "toolCall", id, name: "Bash", input: { command: id } }) as const);
  log.add("model.completed", {
    model,
    message: { role: "assistant", id: `m-${calls.join("")}`, parts: [text("Well."), ...parts] },
    usage,
    stopReason: "end_turn",
    durationMs: 1,
    ...(costUsd === undefined ? {} : { costUsd }),
  });
}

function finished(log: Writer, callId: string, context?: readonly string[]): void {
  const content = [text(`did ${callId}`)];
  log.add("tool.finished", {
    callId,
    name: "Bash",
    outcome: "finished",
    content,
    isError: false,
    ...(context ? { context } : {}),
  });
}

function denied(log: Writer, callId: string): void {
  const reason = { type: "mode", mode: "plan" } as const;
  log.add("tool.decided", { callId, name: "Bash", behavior: "deny", message: "no", reason });
}

describe("fold", () => {
  it("sets a session up", () => {
    const log = started();
    log.add("mode.changed", { mode: "plan", prePlanMode: "acceptEdits", by: "test" });
    log.add("cwd.changed", { cwd: "/work/sub" });
    log.add("file.seen", { path: "__proto__", digest: "d1", partial: true });
    log.add("todos.changed", { todos: [{ content: "a", status: "pending", activeForm: "b" }] });
    const state = fold(log.events);
    expect(state).toMatchObject({
      sessionId: "s1",
      cwd: "/work",
      shellCwd: "/work/sub",
      title: "A title",
      mode: "plan",
      prePlanMode: "acceptEdits",
      additionalDirectories: [["/extra", "cliArg"]],
      todos: [{ content: "a" }],
      lastSeq: 6,
    });
    expect(state.filesSeen.get("__proto__")).toEqual({ digest: "d1", partial: true });
    log.add("mode.changed", { mode: "default", by: "test" });
    expect(fold(log.events)).not.toHaveProperty("prePlanMode");
  });

  it("keeps the session's grants through a new configuration", () => {
    const log = started();
    const rules = [{ text: "Bash(rm:*)", behavior: "deny", source: "session" }] as const;
    log.add("rules.changed", { rules, additionalDirectories: [["/more", "session"]], by: "test" });
    log.events.push({ ...(log.events[1] as SessionEvent), seq: 4 });
    const state = fold(log.events);
    expect(state.sessionRules).toEqual(rules);
    expect(state.additionalDirectories).toEqual([["/extra", "cliArg"]]);
  });

  it("knows which rules of a configuration were taken away, until the next configuration", () => {
    const log = started();
    const removed = [{ text: "Read", behavior: "allow", source: "cliArg" }] as const;
    log.add("rules.changed", { rules: [], removed, additionalDirectories: [], by: "test" });
    expect(fold(log.events)).toMatchObject({ removedRules: removed, additionalDirectories: [] });
    log.events.push({ ...(log.events[1] as SessionEvent), seq: 4 });
    expect(fold(log.events).removedRules).toEqual([]);
  });

  it("gives results to the history in source order, when the last one is there", () => {
    const log = started();
    user(log, "go");
    answer(log, ["a", "b", "c"]);
    finished(log, "c");
    finished(log, "a", ["mind the gap"]);
    const before = fold(log.events);
    expect(before.messages).toHaveLength(2);
    expect(openRound(before)).toMatchObject({ assistant: { id: "m-abc" }, missing: [{ id: "b" }] });
    finished(log, "a");
    finished(log, "nobody");
    finished(log, "b");
    const after = fold(log.events);
    expect(openRound(after)).toBeUndefined();
    expect(after.messages).toHaveLength(3);
    expect(after.messages[2]).toEqual({
      role: "tool",
      parts: [
        {
          type: "toolResult",
          callId: "a",
          name: "Bash",
          content: [text("did a"), text("mind the gap")],
          isError: false,
        },
        { type: "toolResult", callId: "b", name: "Bash", content: [text("did b")], isError: false },
        { type: "toolResult", callId: "c", name: "Bash", content: [text("did c")], isError: false },
      ],
    });
  });

  it("puts a message that came in the middle of a round behind its results", () => {
    const log = started();
    user(log, "go");
    answer(log, ["a"]);
    user(log, "and hurry");
    finished(log, "a");
    expect(fold(log.events).messages.map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "tool",
      "user",
    ]);
  });

  it("counts turns and denials from each message of a person, tokens and money from each result", () => {
    const log = started();
    user(log, "go");
    answer(log, ["a"], "m", 0.5);
    denied(log, "a");
    denied(log, "a");
    finished(log, "a");
    user(log, "go on", true);
    answer(log, [], "__proto__");
    const state = fold(log.events);
    const one = { tool_name: "Bash", tool_use_id: "a", tool_input: { command: "a" } };
    const totals = resultTotals(state);
    expect(totals).toMatchObject({ turns: 2, costUsd: 0.5, costUnknown: true, denials: [one] });
    expect(totals.usage).toEqual({
      inputTokens: 20,
      outputTokens: 10,
      cacheReadTokens: 4,
      cacheWriteTokens: 2,
    });
    expect(Object.entries(totals.modelUsage)).toEqual([
      ["m", usage],
      ["__proto__", usage],
    ]);
    log.add("result", { subtype: "success", durationMs: 1, terminalReason: "completed", ...totals });
    user(log, "more");
    answer(log, [], "m", 0.25);
    const next = fold(log.events);
    expect(resultTotals(next)).toEqual({
      turns: 1,
      usage,
      modelUsage: { m: usage },
      modelCostUsd: { m: 0.25 },
      costUsd: 0.25,
      denials: [],
    });
    expect(next.total).toMatchObject({ costUsd: 0.75, costUnknown: true, usage: { inputTokens: 30 } });
    expect(next.results).toBe(1);
  });

  it("has a cost for a model only while the price of each of its answers was known", () => {
    const log = started();
    answer(log, [], "a", 1);
    answer(log, [], "b", 2);
    answer(log, [], "a", 4);
    expect(fold(log.events).modelCostUsd).toEqual({ a: 5, b: 2 });
    answer(log, [], "a");
    answer(log, [], "a", 8);
    answer(log, [], "c");
    answer(log, [], "c", 1);
    const state = fold(log.events);
    expect(state.modelCostUsd).toEqual({ b: 2 });
    expect(state).toMatchObject({ costUsd: 16, costUnknown: true });
  });

  it("leaves no trace in the history of an answer without parts", () => {
    const log = started();
    user(log, "go");
    const message = { role: "assistant", id: "m1", parts: [] } as const;
    log.add("model.completed", {
      model: "m",
      message,
      usage,
      stopReason: "other",
      durationMs: 1,
      interrupted: true,
    });
    expect(fold(log.events).messages.map(({ role }) => role)).toEqual(["user"]);
    expect(fold(log.events).usage).toEqual(usage);
  });

  it("refuses an answer while results are missing, and a gap", () => {
    const log = started();
    answer(log, ["a", "b"]);
    finished(log, "a");
    answer(log, []);
    const failure = { code: "log_corrupt", message: expect.stringMatching(/session s1.*Bash \(b\)/) };
    expect(() => fold(log.events)).toThrow(expect.objectContaining(failure));
    expect(() => fold(log.events.toSpliced(2, 1))).toThrow(
      expect.objectContaining({
        code: "log_corrupt",
        message: expect.stringContaining("from event 2 to event 4"),
      }),
    );
  });
});

describe("a log that somebody edited", () => {
  it.each(["session.started", "tool.finished", "model.completed"] as const)(
    "is corrupt where %s holds nothing of its kind",
    (type) => {
      const log = started();
      answer(log, ["a"]);
      finished(log, "a");
      const broken = log.events.map((event) =>
        event.type === type ? ({ ...event, data: null } as unknown as SessionEvent) : event,
      );
      const seq = log.events.find((event) => event.type === type)?.seq;
      expect(() => fold(broken)).toThrow(
        expect.objectContaining({
          code: "log_corrupt",
          message: expect.stringContaining(`Event ${seq} (${type}) of session`),
        }),
      );
    },
  );
});

describe("recoverRound", () => {
  it("gives an unknown outcome to what had started and may not run twice, and to nothing else", () => {
    const log = started();
    answer(log, ["done", "new", "safe", "risky"]);
    for (const callId of ["done", "safe", "risky"]) {
      log.add("tool.started", { callId, name: "Bash", repeatable: callId === "safe" });
    }
    finished(log, "done");
    const state = fold(log.events);
    const results = recoverRound(state);
    expect(results).toEqual([
      { callId: "risky", name: "Bash", outcome: "unknown", isError: true, content: [expect.anything()] },
    ]);
    expect(results[0]?.content[0]).toMatchObject({
      text: expect.stringContaining("Outcome unknown: the call began, but no result of it was recorded"),
    });
    expect(openRound(state)?.missing.map(({ id }) => id)).toEqual(["new", "safe", "risky"]);
    expect(recoverRound(fold([]))).toEqual([]);
  });
});

describe("calls that a handler makes", () => {
  it("make their call no more repeatable than they are, count as denials, and stay out of the history", () => {
    const log = started();
    user(log, "go");
    answer(log, ["a"]);
    log.add("tool.started", { callId: "a", name: "Bash", repeatable: true });
    const reason = { type: "mode", mode: "plan" } as const;
    const child = { callId: "a.1", name: "Write", parent: "a" } as const;
    log.add("tool.decided", { ...child, behavior: "deny", message: "no", reason, input: { file_path: "x" } });
    log.add("tool.finished", { ...child, outcome: "denied", content: [text("no")], isError: true });
    let state = fold(log.events);
    expect(state.denials).toEqual([
      { tool_name: "Write", tool_use_id: "a.1", tool_input: { file_path: "x" } },
    ]);
    expect(recoverRound(state)).toEqual([]);
    expect(openRound(state)?.missing.map(({ id }) => id)).toEqual(["a"]);
    log.add("tool.started", { callId: "a.2", name: "Write", parent: "a", repeatable: false });
    state = fold(log.events);
    expect(recoverRound(state).map(({ callId, outcome }) => [callId, outcome])).toEqual([["a", "unknown"]]);
  });
});

describe("denials", () => {
  it("of ids that a provider begins anew in each answer are all kept", () => {
    const log = started();
    user(log, "go");
    for (const _ of [1, 2]) {
      answer(log, ["call_0", "call_1"]);
      denied(log, "call_0");
      denied(log, "call_1");
      finished(log, "call_0");
      finished(log, "call_1");
    }
    expect(fold(log.events).denials.map((denial) => denial.tool_use_id)).toEqual([
      "call_0",
      "call_1",
      "call_0",
      "call_1",
    ]);
  });

  it("of one call that is decided twice are one, the last", () => {
    const log = started();
    user(log, "go");
    answer(log, ["a", "b"]);
    denied(log, "a");
    denied(log, "b");
    denied(log, "a");
    expect(fold(log.events).denials.map((denial) => denial.tool_use_id)).toEqual(["a", "b"]);
  });

  it("of calls that a handler made count by the call of the model that they belong to", () => {
    const log = started();
    user(log, "go");
    const reason = { type: "mode", mode: "plan" } as const;
    for (const _ of [1, 2]) {
      answer(log, ["call_0"]);
      for (const callId of ["call_0.1", "call_0.1"]) {
        const data = { callId, name: "Bash", behavior: "deny", message: "no", reason } as const;
        log.add("tool.decided", { ...data, parent: "call_0" });
      }
      finished(log, "call_0");
    }
    expect(fold(log.events).denials.map((denial) => denial.tool_use_id)).toEqual(["call_0.1", "call_0.1"]);
  });
});
