import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, type EventStore, type Options, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { gate, live, storedTypes, streaming } from "../kit/live.ts";
import { scratch } from "../kit/session.ts";

/** A first run over a store of its own, and what it takes to go on. */
async function first(turns: Parameters<typeof scriptedModel>[0], options: Options = {}, prompt = "go") {
  const store = memoryStore();
  const host = createHost({ store });
  const cwd = options.cwd ?? scratch();
  const session = live(prompt, { ...options, cwd, model: scriptedModel(turns) }, host);
  await session.ended;
  const sessionId = session.messages[0]?.session_id ?? "";
  return { store, host, cwd, session, sessionId };
}

const texts = (request: unknown) => JSON.stringify(request);

describe("resume", () => {
  it("goes on with the whole history, in the directory of the session", async () => {
    const { host, sessionId, cwd } = await first([{ toolCalls: [{ name: "LS" }] }, "one"], {
      tools: ["LS"],
    });
    const model = scriptedModel(["two"]);
    const query = host.query({ prompt: "and now?", options: { model, resume: sessionId } });
    const messages = [];
    for await (const message of query) messages.push(message);
    expect(messages[0]).toMatchObject({ type: "system", subtype: "init", session_id: sessionId, cwd });
    expect(messages.at(-1)).toMatchObject({
      type: "result",
      subtype: "success",
      result: "two",
      num_turns: 1,
    });
    const roles = model.requests[0]?.messages.map((message) => message.role);
    expect(roles).toEqual(["user", "assistant", "tool", "assistant", "user"]);
    expect(model.requests[0]?.tools.map((each) => each.name)).toEqual(["LS"]);
  });

  it("`continue` takes the newest session of the directory, else begins one", async () => {
    const { host, cwd, sessionId } = await first(["one"]);
    const model = scriptedModel(["two"]);
    const session = live("more", { model, cwd, continue: true }, host);
    await session.ended;
    expect(session.messages[0]?.session_id).toBe(sessionId);
    expect(texts(model.requests[0])).toContain("one");
    const other = live("more", { model: scriptedModel(["three"]), continue: true }, host);
    await other.ended;
    expect(other.messages[0]?.session_id).not.toBe(sessionId);
    expect(other.results()).toMatchObject([{ result: "three" }]);
  });

  it("keeps mode, rules and tools as they were; a new list replaces only its own", async () => {
    const cwd = scratch();
    const { host, sessionId } = await first(["one"], {
      cwd,
      tools: ["Bash", "Read"],
      allowedTools: ["Bash(touch:*)"],
      disallowedTools: ["Bash(touch forbidden)"],
      permissionMode: "dontAsk",
    });
    const call = (command: string) => ({ toolCalls: [{ name: "Bash", input: { command } }] });
    const model = scriptedModel([call("touch allowed"), call("touch forbidden"), call("mkdir asked"), "two"]);
    const session = live("more", { model, cwd, resume: sessionId, allowedTools: ["Bash(touch:*)"] }, host);
    await session.ended;
    expect(session.messages[0]).toMatchObject({ permissionMode: "dontAsk", tools: ["Bash", "Read"] });
    expect(session.results()[0]?.permission_denials).toHaveLength(2);
    expect(["allowed", "forbidden", "asked"].map((name) => existsSync(join(cwd, name)))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("keeps a deny that an update gave to the options' list, over several resumes", async () => {
    const touch = (name: string) => ({ toolCalls: [{ name: "Bash", input: { command: `touch ${name}` } }] });
    const answer = (behavior: "allow" | "deny", ruleContent: string, destination: "cliArg" | "session") => ({
      canUseTool: async () => ({
        behavior: "allow" as const,
        updatedPermissions: [
          {
            type: "addRules" as const,
            behavior,
            rules: [{ toolName: "Bash", ruleContent }],
            destination,
          },
        ],
      }),
    });
    const { host, sessionId, cwd } = await first(
      [touch("a"), "one"],
      answer("deny", "touch forbidden", "cliArg"),
    );
    const second = live(
      "more",
      {
        model: scriptedModel([touch("b"), "two"]),
        cwd,
        resume: sessionId,
        ...answer("allow", "touch c", "session"),
      },
      host,
    );
    await second.ended;
    const third = live(
      "more",
      {
        model: scriptedModel([touch("forbidden"), touch("c"), "three"]),
        cwd,
        resume: sessionId,
        allowedTools: ["Bash"],
        disallowedTools: [],
      },
      host,
    );
    await third.ended;
    expect(["a", "b", "c", "forbidden"].map((name) => existsSync(join(cwd, name)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it("says so when a tool of the program or its model is not there any more", async () => {
    const probe = tool("probe", "Probes.", {}, () => ({ content: [{ type: "text", text: "ok" }] }), {
      riskLevel: "low",
    });
    const { host, sessionId } = await first(["one"], { tools: ["LS", probe] });
    const session = live(
      "more",
      { model: scriptedModel(["two"]), cwd: undefined as never, resume: sessionId },
      host,
    );
    await session.ended;
    expect(session.messages.slice(0, 2)).toMatchObject([
      { subtype: "init", tools: ["LS"] },
      { subtype: "notification", level: "warning", message: expect.stringContaining("probe") },
    ]);
    const lost = live("more", { cwd: undefined as never, resume: sessionId }, host);
    await lost.ended;
    expect(lost.results()).toMatchObject([{ terminal_reason: "invalid_model" }]);
    expect(lost.results()[0]?.errors?.[0]).toMatch(/ran with the model "scripted".*Give the option `model`/);
  });

  it.each<readonly [string, (id: string, cwd: string) => Options, string, RegExp]>([
    ["an unknown id", () => ({ resume: "nobody" }), "session_not_found", /There is no session nobody/],
    ["an id that is no name", () => ({ resume: "../../etc" }), "session_not_found", /no session/],
    ["another directory", (id) => ({ resume: id, cwd: scratch() }), "invalid_option", /Leave cwd out/],
    ["a new session under the old id", (id, cwd) => ({ sessionId: id, cwd }), "invalid_option", /Use resume/],
  ])("%s is an error result, and nothing is written", async (_, options, reason, why) => {
    const { host, store, sessionId, cwd } = await first(["one"], {
      sessionId: "0199a0b0-0000-7000-8000-00000000000a",
    });
    const before = await storedTypes(store, sessionId);
    const model = scriptedModel(["never"]);
    const session = live("more", { cwd: undefined as never, model, ...options(sessionId, cwd) }, host);
    expect(await session.ended).toBeUndefined();
    expect(session.messages).toHaveLength(1);
    expect(session.results()).toMatchObject([{ is_error: true, terminal_reason: reason, num_turns: 0 }]);
    expect(session.results()[0]?.errors?.[0]).toMatch(why);
    expect(model.requests).toEqual([]);
    expect(await storedTypes(store, sessionId)).toEqual(before);
  });

  it("a log of a later release is refused; one with a harmless unknown event is not", async () => {
    for (const critical of [true, false]) {
      const { host, store, sessionId, cwd } = await first(["one"]);
      const { length } = await store.read(sessionId);
      const event = { v: 1, seq: length + 1, id: "later", ts: 1, type: "budget.frozen", data: {} };
      await append(store, sessionId, cwd, length, critical ? { ...event, critical } : event);
      const session = live("more", { model: scriptedModel(["two"]), cwd, resume: sessionId }, host);
      await session.ended;
      expect(session.results()).toMatchObject([
        critical ? { terminal_reason: "log_too_new" } : { result: "two" },
      ]);
    }
  });

  it("a directory that is gone is told at the start", async () => {
    const session = live("go", { model: scriptedModel(["never"]), cwd: join(scratch(), "gone") });
    await session.ended;
    expect(session.results()).toMatchObject([{ terminal_reason: "invalid_option" }]);
    expect(session.results()[0]?.errors?.[0]).toMatch(/options\.cwd is ".*gone".*no directory/);
  });
});

describe("two writers of one session", () => {
  it.each(["one host", "two hosts over one store"])(
    "in %s: the second gets session_busy, the first goes on",
    async (name) => {
      const { host, store, sessionId, cwd } = await first(["one"]);
      const door = gate();
      const slow = live(
        "a",
        { model: scriptedModel([() => door.wait().then(() => "two")]), cwd, resume: sessionId },
        host,
      );
      await door.reached;
      const other = name === "one host" ? host : createHost({ store });
      const model = scriptedModel(["never"]);
      const second = live("b", { model, cwd, resume: sessionId }, other);
      await second.ended;
      expect(second.results()).toMatchObject([{ is_error: true, terminal_reason: "session_busy" }]);
      expect(model.requests).toEqual([]);
      door.open();
      await slow.ended;
      expect(slow.results()).toMatchObject([{ subtype: "success", result: "two" }]);
      const third = live("c", { model: scriptedModel(["three"]), cwd, resume: sessionId }, other);
      await third.ended;
      expect(third.results()).toMatchObject([{ result: "three" }]);
    },
  );
});

/** Where a run may stop, with what the next one has to do first. */
const UNFINISHED: readonly (readonly [string, (session: Unfinished) => Promise<void>, RegExp])[] = [
  [
    "a model that failed",
    ({ play }) => play([{ text: "x", error: "overloaded" }]),
    /^\[\{"role":"user","parts":\[\{"type":"text","text":"go"\}\]\}\]$/,
  ],
  ["maxTurns", ({ play }) => play([{ toolCalls: [{ name: "LS" }] }], { maxTurns: 1 }), /"role":"tool"/],
  [
    "an interrupt while a tool ran",
    async ({ start }) => {
      const door = gate();
      const session = start(
        [{ toolCalls: [{ name: "wait" }] }],
        [
          tool("wait", "Waits.", {}, (_, { signal }) => door.wait().then(() => ended(signal)), {
            riskLevel: "low",
          }),
        ],
      );
      await door.reached;
      await session.query.interrupt();
      await session.ended;
    },
    /"isError":true/,
  ],
  [
    "a close before the model said a word",
    async ({ start }) => {
      const door = gate();
      const session = start([() => door.wait().then(() => "late")], []);
      await door.reached;
      await session.query.close();
    },
    /"role":"user"/,
  ],
];

interface Unfinished {
  play(turns: Parameters<typeof scriptedModel>[0], options?: Options): Promise<void>;
  start(
    turns: Parameters<typeof scriptedModel>[0],
    tools: Options["tools"] & object,
  ): ReturnType<typeof live>;
}

describe("an empty prompt", () => {
  it.each(UNFINISHED)("goes on after %s", async (_, stop, history) => {
    const host = createHost({ store: memoryStore() });
    const cwd = scratch();
    const sessionId = "0199a0b0-0000-7000-8000-00000000000b";
    const start: Unfinished["start"] = (turns, tools) =>
      live("go", { model: scriptedModel(turns), cwd, sessionId, tools, allowedTools: ["wait", "LS"] }, host);
    const play: Unfinished["play"] = async (turns, options) => {
      await live(
        "go",
        { model: scriptedModel(turns), cwd, sessionId, allowedTools: ["LS"], ...options },
        host,
      ).ended;
    };
    await stop({ start, play });
    const model = scriptedModel(["finished"]);
    const session = live("", { model, cwd, resume: sessionId }, host);
    await session.ended;
    expect(session.results()).toMatchObject([{ subtype: "success", result: "finished" }]);
    expect(texts(model.requests[0]?.messages)).toMatch(history);
  });

  it("after a crash runs what had not begun, and never again what may have happened", async () => {
    const store = memoryStore();
    const cwd = scratch();
    const sessionId = "0199a0b0-0000-7000-8000-00000000000c";
    const call = (id: string, command: string) => ({
      type: "toolCall",
      id,
      name: "Bash",
      input: { command },
    });
    const calls = [call("begun", "touch begun"), call("new", "touch new"), call("read", "cat note.txt")];
    writeFileSync(join(cwd, "note.txt"), "hello");
    const message = { role: "assistant", id: "m", parts: calls };
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const data: readonly (readonly [string, object])[] = [
      ["session.started", { sessionId, cwd, release: "0.1.0" }],
      [
        "session.configured",
        { model: "m", mode: "default", tools: ["Bash"], rules: [], additionalDirectories: [] },
      ],
      ["user.message", { message: { role: "user", parts: [{ type: "text", text: "go" }] } }],
      ["model.completed", { model: "m", message, usage, stopReason: "tool_use", durationMs: 1 }],
      ["tool.started", { callId: "begun", name: "Bash", repeatable: false }],
      ["tool.started", { callId: "read", name: "Bash", repeatable: true }],
    ];
    for (const [at, [type, each]] of data.entries()) {
      await append(store, sessionId, cwd, at, { v: 1, seq: at + 1, id: `e${at}`, ts: at, type, data: each });
    }
    const model = scriptedModel(["finished"]);
    const session = live(
      "",
      { model, cwd, resume: sessionId, allowedTools: ["Bash"] },
      createHost({ store }),
    );
    await session.ended;
    expect(session.results()).toMatchObject([{ subtype: "success", result: "finished" }]);
    expect([existsSync(join(cwd, "begun")), existsSync(join(cwd, "new"))]).toEqual([false, true]);
    const results = model.requests[0]?.messages.at(-1);
    expect(results?.parts.map((part) => (part.type === "toolResult" ? part.callId : ""))).toEqual([
      "begun",
      "new",
      "read",
    ]);
    expect(texts(results?.parts[0])).toMatch(/Outcome unknown/);
    expect(texts(results?.parts[2])).toContain("hello");
  });

  it("where nothing is left to do is an error that asks for a prompt", async () => {
    const { host, sessionId, cwd } = await first(["one"]);
    const session = live("", { model: scriptedModel(["never"]), cwd, resume: sessionId }, host);
    await session.ended;
    expect(session.results()).toMatchObject([{ terminal_reason: "invalid_option" }]);
    expect(session.results()[0]?.errors?.[0]).toMatch(/nothing left to go on with.*Give a prompt/);
  });
});

it("a model of another kind may go on with a session", async () => {
  const { host, sessionId, cwd } = await first(["one"]);
  const model = streaming(async function* () {
    yield { type: "text", delta: "from elsewhere" };
    yield { type: "finish", stopReason: "end_turn" };
  });
  const session = live("more", { model, cwd, resume: sessionId }, host);
  await session.ended;
  expect(session.results()).toMatchObject([{ result: "from elsewhere", modelUsage: { streaming: {} } }]);
  expect(Object.keys(session.results()[0]?.modelUsage ?? {})).toEqual(["streaming"]);
});

async function append(
  store: EventStore,
  sessionId: string,
  project: string,
  expectedSeq: number,
  event: object,
) {
  const [answer] = await store.append([
    { sessionId, project, expectedSeq, batchId: `hand-${expectedSeq}`, events: [event as never] },
  ]);
  expect(answer).toMatchObject({ ok: true });
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
