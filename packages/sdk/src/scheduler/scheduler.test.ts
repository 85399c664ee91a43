import { afterEach, describe, expect, it } from "vitest";
import type { GateKit, GateKitOptions } from "../gate/test-kit.ts";
import { gateKit, makeTool } from "../gate/test-kit.ts";
import type { ErrorCode, EventData, ToolCallPart, ToolDefinition } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import type { EarlierCall, RoundOutcome, SchedulerDeps } from "./index.ts";
import type { SchedulerKit } from "./test-kit.ts";
import { call, schedulerKit, textOf } from "./test-kit.ts";

const kits: GateKit[] = [];
afterEach(() => Promise.all(kits.splice(0).map((kit) => kit.remove())));

const bypass = { mode: "bypassPermissions", isBypassAvailable: true } as const;
const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};

interface Made extends SchedulerKit {
  readonly side: GateKit;
  run(calls: readonly ToolCallPart[], resume?: ReadonlyMap<string, EarlierCall>): Promise<RoundOutcome>;
  finished(): EventData<"tool.finished">[];
  result(id: string): EventData<"tool.finished"> | undefined;
}

async function made(
  tools: readonly ToolDefinition[],
  gate: GateKitOptions = {},
  more: Partial<SchedulerDeps> = {},
): Promise<Made> {
  const side = await gateKit({ tools, context: bypass, ...gate });
  kits.push(side);
  const kit = schedulerKit(side, more);
  return {
    ...kit,
    side,
    run: (calls, resume) => kit.scheduler.runRound(calls, "msg_1", new AbortController().signal, resume),
    finished: () => side.of("tool.finished"),
    result: (id) => side.of("tool.finished").find((one) => one.callId === id),
  };
}

describe("one call", () => {
  it("has its result also when the gate itself fails on it, and its siblings run", async () => {
    const side = await gateKit({ tools: [makeTool("act")], context: bypass });
    kits.push(side);
    const { gate } = side;
    const authorise = gate.authorise.bind(gate);
    gate.authorise = (given, scope) =>
      given.id === "a" ? Promise.reject(new RangeError("too deep")) : authorise(given, scope);
    const { scheduler } = schedulerKit({ ...side, gate });
    await scheduler.runRound([call("a", "act"), call("b", "act")], "msg_1", new AbortController().signal);
    const finished = side.of("tool.finished");
    expect(finished.map(({ callId, outcome }) => [callId, outcome])).toEqual([
      ["a", "failed"],
      ["b", "finished"],
    ]);
    expect(textOf(finished[0])).toContain("failed while it judged this call: too deep");
  });

  it("is decided, started, written, run, finished, in this order", async () => {
    const order: string[] = [];
    const tool = makeTool("act", {
      call: () => {
        order.push("call");
        return { content: [{ type: "text", text: "done" }], structuredContent: { n: 1 } };
      },
    });
    const side = await gateKit({ tools: [tool], context: bypass });
    kits.push(side);
    const recorder: SchedulerDeps["recorder"] = {
      record: (type) => void order.push(type),
      barrier: async () => {
        order.push("barrier begins");
        await turns(2);
        order.push("barrier ends");
      },
    };
    await schedulerKit(side, { recorder }).scheduler.runRound(
      [call("1", "act")],
      "m",
      new AbortController().signal,
    );
    expect(order).toEqual([
      "tool.decided",
      "tool.started",
      "barrier begins",
      "barrier ends",
      "call",
      "tool.finished",
    ]);
  });

  it("that may be repeated does not wait for the write", async () => {
    let barriers = 0;
    const tools = [makeTool("look", { isReadOnly: () => true }), makeTool("set", { idempotent: true })];
    const side = await gateKit({ tools, context: bypass });
    kits.push(side);
    const recorder = {
      ...side.recorder,
      barrier: async () => {
        barriers += 1;
      },
    };
    await schedulerKit(side, { recorder }).scheduler.runRound(
      [call("1", "look"), call("2", "set")],
      "m",
      new AbortController().signal,
    );
    expect(barriers).toBe(0);
    expect(side.of("tool.started").map((event) => event.repeatable)).toEqual([true, true]);
  });

  it("gives its result, its structured form and its time", async () => {
    const kit = await made([
      makeTool("act", {
        call: () => ({ content: [{ type: "text", text: "hi" }], structuredContent: { n: 1 } }),
      }),
    ]);
    expect(await kit.run([call("1", "act")])).toEqual({});
    expect(kit.finished()).toMatchObject([
      {
        callId: "1",
        name: "act",
        outcome: "finished",
        isError: false,
        content: [{ type: "text", text: "hi" }],
        structured: { n: 1 },
        durationMs: expect.any(Number),
      },
    ]);
  });

  it("gets its context: ids, targets, progress, log, artifacts", async () => {
    let seen: unknown;
    let late: () => void = () => {};
    const tool = makeTool("act", {
      call: async (_, context, onProgress) => {
        context.progress("half");
        onProgress({ percent: 50 });
        context.progress([] as never);
        context.progress({ bad: () => 1 } as never);
        context.log("warn", "careful");
        const stored = await context.artifacts.put("body", "text/plain");
        late = () => context.progress("too late");
        seen = { ...context, signal: context.signal.aborted, stored };
        return { content: [] };
      },
    });
    const kit = await made([tool], {}, { agentId: "agent_1" });
    await kit.run([call("1", "act")]);
    late();
    expect(seen).toMatchObject({
      toolUseId: "1",
      sessionId: "session",
      agentId: "agent_1",
      assistantMessageId: "msg_1",
      cwd: kit.side.cwd,
      metadata: { taskId: "agent_1" },
      targets: [{ kind: "name", value: "act" }],
      signal: false,
      stored: { size: 4, mediaType: "text/plain" },
    });
    expect(kit.progress).toEqual([
      { callId: "1", name: "act", progress: "half" },
      { callId: "1", name: "act", progress: { percent: 50 } },
    ]);
    expect(kit.logs).toEqual(["warn: careful"]);
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      "throws",
      () => {
        throw new Error("boom");
      },
      /boom/,
    ],
    ["rejects", () => Promise.reject(new Error("later")), /later/],
    [
      "throws a text",
      () => {
        throw "bare";
      },
      /bare/,
    ],
    ["returns nothing", () => undefined, /./],
    ["returns a text", () => "text", /text/],
    ["returns a list", () => [], /./],
    ["returns an empty object", () => ({}), /./],
    [
      "returns a cycle",
      () => {
        const a: Record<string, unknown> = {};
        a.output = a;
        return a;
      },
      /./,
    ],
  ])("that %s is an error result, and the next one runs", async (_, act, text) => {
    const next = makeTool("next");
    const kit = await made([makeTool("act", { call: act }), next]);
    await kit.run([call("1", "act"), call("2", "next")]);
    expect(kit.result("1")).toMatchObject({ outcome: "failed", isError: true });
    expect(textOf(kit.result("1"))).toMatch(text);
    expect(kit.result("2")).toMatchObject({ outcome: "finished" });
    expect(next.ran).toHaveLength(1);
  });

  it("with an input that is no JSON, or no object, shows the problem", async () => {
    const tool = makeTool("act");
    const kit = await made([tool]);
    await kit.run([{ ...call("1", "act"), invalidInput: '{"a": ' }, call("2", "act", [1])]);
    expect(textOf(kit.result("1"))).toMatch(/input of act is not JSON \(.+\).*It was: {"a": $/);
    expect(textOf(kit.result("2"))).toMatch(/must be a JSON object.*\[1\]/);
    expect(kit.finished().map((one) => one.outcome)).toEqual(["failed", "failed"]);
    expect(tool.ran).toEqual([]);
  });

  it("of no tool, or refused, is told", async () => {
    const tool = makeTool("act");
    const kit = await made([tool], { rules: { deny: ["act"] } });
    await kit.run([call("1", "ack"), call("2", "act")]);
    expect(kit.result("1")).toMatchObject({ outcome: "failed", isError: true, name: "ack" });
    expect(textOf(kit.result("1"))).toBe("No such tool: ack. Did you mean act?");
    expect(kit.result("2")).toMatchObject({ outcome: "denied", isError: true });
    expect(kit.side.of("tool.decided")).toMatchObject([
      { callId: "2", name: "act", behavior: "deny", reason: { type: "rule" }, rule: { text: "act" } },
    ]);
    expect(kit.side.of("tool.started")).toEqual([]);
    expect(tool.ran).toEqual([]);
  });

  it("that was edited is recorded with the input that runs", async () => {
    const tool = makeTool("act");
    const kit = await made([tool], {
      context: {},
      canUseTool: () => ({ behavior: "allow", updatedInput: { b: 2 } }),
    });
    await kit.run([call("1", "act", { a: 1 })]);
    expect(tool.ran).toEqual([{ b: 2 }]);
    expect(kit.side.of("tool.decided")).toMatchObject([{ behavior: "allow", asked: true, input: { b: 2 } }]);
    expect(kit.side.of("tool.started")).toMatchObject([{ approved: true }]);
  });

  it("says so from the third equal one in a row on", async () => {
    const kit = await made([makeTool("act"), makeTool("other")]);
    const same = (id: string): ToolCallPart => call(id, "act", { a: 1 });
    await kit.run([same("1"), same("2")]);
    await kit.run([same("3"), same("4")]);
    await kit.run([call("5", "other"), same("6")]);
    const told = (id: string): boolean => /call (3|4) of act in a row/.test(textOf(kit.result(id)));
    expect(["1", "2", "3", "4", "5", "6"].filter(told)).toEqual(["3", "4"]);
  });
});

describe("a log that cannot be written", () => {
  it.each<ErrorCode>(["store_failed", "store_conflict", "lease_lost", "redaction_failed", "session_busy"])(
    "lets nothing run and is thrown: %s",
    async (code) => {
      const tool = makeTool("act");
      const look = makeTool("look", { isReadOnly: () => true });
      const side = await gateKit({ tools: [tool, look], context: bypass });
      kits.push(side);
      const failure = new CastellanError(code, "It cannot be written.");
      const recorder = { ...side.recorder, barrier: () => Promise.reject(failure) };
      const { scheduler } = schedulerKit(side, { recorder });
      const round = scheduler.runRound(
        [call("1", "act"), call("2", "look")],
        "m",
        new AbortController().signal,
      );
      await expect(round).rejects.toBe(failure);
      expect(tool.ran).toEqual([]);
      expect(look.ran).toEqual([]);
    },
  );
});

describe("a change while the call waits for the write", () => {
  it("is seen: a deny wins", async () => {
    const tool = makeTool("act");
    const side: GateKit = await gateKit({ tools: [tool], context: bypass });
    kits.push(side);
    const recorder = {
      ...side.recorder,
      barrier: async () => {
        side.holder.setMode("plan", "test");
        side.holder.update(
          [{ type: "addRules", behavior: "deny", rules: [{ toolName: "act" }], destination: "session" }],
          "test",
        );
      },
    };
    await schedulerKit(side, { recorder }).scheduler.runRound(
      [call("1", "act")],
      "m",
      new AbortController().signal,
    );
    expect(tool.ran).toEqual([]);
    expect(side.of("tool.finished")).toMatchObject([{ callId: "1", outcome: "denied" }]);
    expect(side.of("tool.decided").map((event) => event.behavior)).toEqual(["allow", "deny"]);
  });
});

describe("a round that was begun before", () => {
  it("leaves finished calls alone, repeats what may be, and reports what may not", async () => {
    const look = makeTool("look", { isReadOnly: () => true });
    const act = makeTool("act");
    const kit = await made([look, act]);
    const resume = new Map<string, EarlierCall>([
      ["1", { started: { repeatable: false }, finished: {} }],
      ["2", { started: { repeatable: true } }],
      ["3", { started: { repeatable: false } }],
    ]);
    await kit.run(
      [call("1", "act"), call("2", "look"), call("3", "act"), call("4", "act", { n: 4 })],
      resume,
    );
    expect(kit.finished().map((one) => [one.callId, one.outcome])).toEqual([
      ["2", "finished"],
      ["3", "unknown"],
      ["4", "finished"],
    ]);
    expect(look.ran).toHaveLength(1);
    expect(act.ran).toEqual([{ n: 4 }]);
  });
});
