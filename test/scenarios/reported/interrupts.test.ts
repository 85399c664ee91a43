import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, createSdkMcpServer, type Options, type SDKUserMessage, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { assertComplete, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { gate, live, said, silence } from "../../kit/live.ts";
import { scratch } from "../../kit/session.ts";
import { refusals } from "../../kit/wire-check.ts";

const low = { riskLevel: "low", version: "1.0.0" } as const;
const ok = { content: [{ type: "text" as const, text: "real" }] };

/** Roles and first words of a history. */
const shape = (messages: readonly { readonly role: string; readonly parts: readonly object[] }[]) =>
  messages.map(({ role, parts }) => [role, parts.length]);

describe("C103: an interrupt while calls run", () => {
  /** Three calls, the second of which hangs. */
  function hanging() {
    const door = gate();
    let calls = 0;
    const work = tool(
      ...(["work", "Works.", {}] as const),
      (_, { signal }) => {
        calls += 1;
        if (calls !== 2) return ok;
        void door.wait();
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
        });
      },
      low,
    );
    const three = { toolCalls: [{ name: "work" }, { name: "work" }, { name: "work" }] };
    return { door, work, three, calls: () => calls };
  }

  it("leaves one real result and two that say why, right behind the calls; the next request is valid", async () => {
    const { door, work, three, calls } = hanging();
    const model = scriptedModel([three, "again"]);
    const more = gate();
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      yield said("go");
      await more.wait();
      yield said("and now?");
    }
    const session = live(prompts(), { model, tools: [work], allowedTools: ["work"] });
    await door.reached;
    expect(await session.query.interrupt()).toEqual({ stopped: true, stillQueued: [] });
    more.open();
    await session.ended;
    assertComplete(session.messages);
    expect(calls()).toBe(2);
    const [, second] = model.requests;
    expect(shape(second?.messages ?? [])).toEqual([
      ["user", 1],
      ["assistant", 3],
      ["tool", 3],
      ["user", 1],
    ]);
    const results = second?.messages[2]?.role === "tool" ? second.messages[2].parts : [];
    expect(results.map(({ isError }) => isError)).toEqual([false, true, true]);
    expect(JSON.stringify(results[1])).toMatch(/interrupted/);
    expect(JSON.stringify(results[2])).toMatch(/did not run.*interrupted/);
    if (second !== undefined) expect(await refusals(second)).toEqual([]);
  });

  it("is mended on a resume from a log that ends behind the calls", async () => {
    const { door, work, three } = hanging();
    const store = memoryStore();
    const cwd = scratch();
    const options: Options = { cwd, tools: [work], allowedTools: ["work"] };
    const first = live("go", { ...options, model: scriptedModel([three]) }, createHost({ store }));
    await door.reached;
    const id = first.messages[0]?.session_id ?? "";
    const events = await store.read(id);
    const at = events.findIndex(({ type }) => type === "model.completed");
    const cut = memoryStore();
    const whole = { sessionId: id, project: cwd, expectedSeq: 0, batchId: "b" };
    await cut.append([{ ...whole, events: events.slice(0, at + 1) }]);
    await first.query.close();
    const model = scriptedModel(["again"]);
    const second = live("and now?", { model, resume: id, ...options }, createHost({ store: cut }));
    await second.ended;
    expect(second.results()).toMatchObject([{ result: "again" }]);
    for (const request of model.requests) {
      expect(shape(request.messages).slice(1, 3)).toEqual([
        ["assistant", 3],
        ["tool", 3],
      ]);
      expect(await refusals(request)).toEqual([]);
    }
  });
});

describe("C160: an interrupt right behind query()", () => {
  it("stops the turn of a prompt stream that has its message ready: nothing is asked, nothing runs", async () => {
    const cwd = scratch();
    const model = scriptedModel([
      { toolCalls: [{ name: "Bash", input: { command: "touch made" } }] },
      "done",
    ]);
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      yield said("go");
    }
    const session = live(prompts(), { model, cwd, allowedTools: ["Bash"] });
    expect(await session.query.interrupt()).toEqual({ stopped: true, stillQueued: [] });
    await session.ended;
    expect(session.results()).toMatchObject([{ terminal_reason: "interrupted", num_turns: 0 }]);
    expect([model.requests.length, existsSync(join(cwd, "made"))]).toEqual([0, false]);
  });

  it("says that it stopped nothing where the stream had nothing yet, and later messages are answered", async () => {
    const later = gate();
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      await later.wait();
      yield said("go");
    }
    const session = live(prompts(), { model: scriptedModel(["one"]) });
    expect(await session.query.interrupt()).toEqual({ stopped: false, stillQueued: [] });
    later.open();
    await session.ended;
    expect(session.results()).toMatchObject([{ result: "one" }]);
  });

  it("answers also where the session cannot open", async () => {
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      yield said("go");
    }
    const session = live(prompts(), { model: scriptedModel([]), resume: "nobody" });
    expect(await session.query.interrupt()).toMatchObject({ stopped: false });
    await session.ended;
    expect(session.results()).toMatchObject([{ terminal_reason: "session_not_found" }]);
  });
});

describe("C162: messages that come while a tool runs", () => {
  it("stand behind the results, in their order; the interrupt's receipt names those that wait", async () => {
    const [running, sent] = [gate(), gate()];
    const wait = tool("wait", "Waits.", {}, () => running.wait().then(silence), low);
    const model = scriptedModel([{ toolCalls: [{ name: "wait" }, { name: "wait" }] }, "two", "three"]);
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      yield said("m1", { uuid: "u1" });
      await running.reached;
      yield said("m2", { uuid: "u2" });
      yield said("m3");
      void sent.wait();
    }
    const session = live(prompts(), { model, tools: [wait], allowedTools: ["wait"] });
    await sent.reached;
    expect(await session.query.interrupt()).toEqual({
      stopped: true,
      stillQueued: [
        { uuid: "u2", text: "m2", priority: "later" },
        { text: "m3", priority: "later" },
      ],
    });
    await session.ended;
    expect(session.results().map(({ result }) => result)).toEqual([undefined, "two", "three"]);
    const last = model.requests[2]?.messages ?? [];
    expect(last.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user", "assistant", "user"]);
    expect(JSON.stringify(last[3])).toContain("m2");
    expect(JSON.stringify(last[5])).toContain("m3");
    for (const request of model.requests) expect(await refusals(request)).toEqual([]);
  });

  it("an interrupt between a message and its turn stops that turn, and no other message is lost", async () => {
    const model = scriptedModel(["two"]);
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      yield said("m1");
      yield said("m2");
    }
    const session = live(prompts(), { model });
    expect(await session.query.interrupt()).toMatchObject({ stopped: true, stillQueued: [{ text: "m2" }] });
    await session.ended;
    expect(session.results().map(({ terminal_reason }) => terminal_reason)).toEqual([
      "interrupted",
      "completed",
    ]);
  });
});

/** Whether a process runs. A zombie does not. */
function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function pidIn(file: string): Promise<number> {
  for (;;) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    if (text.endsWith("\n")) return Number(text);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe.skipIf(process.platform !== "linux")("an abort", () => {
  it("C252: in the loop, while a command runs, signals that command's group and nobody else", async () => {
    const signals: string[] = [];
    const heard = (signal: string): void => void signals.push(signal);
    const all = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
    for (const signal of all) process.on(signal, heard);
    const cwd = scratch();
    const abortController = new AbortController();
    const command = "echo $$ > pid; sleep 60";
    const model = scriptedModel([{ toolCalls: [{ name: "Bash", input: { command } }] }, "never"]);
    const host = createHost({ store: memoryStore() });
    const session = host.query({
      prompt: "go",
      options: { model, cwd, allowedTools: ["Bash"], abortController },
    });
    let pid = 0;
    let thrown: unknown;
    const types: string[] = [];
    try {
      for await (const message of session) {
        types.push(message.type);
        if (message.type !== "assistant") continue;
        pid = await pidIn(join(cwd, "pid"));
        abortController.abort();
      }
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ name: "AbortError" });
    expect(types.filter((type) => type === "result")).toHaveLength(1);
    expect(await session.next()).toEqual({ done: true, value: undefined });
    await gone(pid);
    expect(signals).toEqual([]);
    for (const signal of all) process.off(signal, heard);
  });

  it.each([
    ["a command first", ["Bash", "Write", "mcp__shop__slow"]],
    ["a handler first", ["mcp__shop__slow", "Bash", "Write"]],
  ] as const)("C253: with %s reaches what runs, and what waits never runs", async (_, order) => {
    const cwd = scratch();
    const begun = gate();
    let heard: unknown;
    const slow = tool("slow", "Is slow.", {}, (_, { signal }) => {
      void begun.wait();
      return new Promise((_, reject) => {
        signal.addEventListener(
          "abort",
          () => {
            heard = (signal.reason as { code?: unknown }).code;
            reject(new Error("stopped"));
          },
          { once: true },
        );
      });
    });
    const inputs: Record<string, object> = {
      Bash: { command: "echo $$ > pid; sleep 30" },
      Write: { file_path: join(cwd, "a"), content: "x" },
      mcp__shop__slow: {},
    };
    const model = scriptedModel([
      { toolCalls: order.map((name) => ({ name, input: inputs[name] as never })) },
      "never",
    ]);
    const abortController = new AbortController();
    const session = live("go", {
      ...{ model, cwd, abortController, allowedTools: ["Bash", "Write", "mcp__shop__slow"] },
      mcpServers: { shop: createSdkMcpServer({ name: "shop", tools: [slow] }) },
    });
    const pid = order[0] === "Bash" ? await pidIn(join(cwd, "pid")) : 0;
    if (pid === 0) await begun.reached;
    abortController.abort();
    expect(await session.ended).toMatchObject({ name: "AbortError" });
    assertComplete(session.messages);
    if (pid !== 0) await gone(pid);
    else expect(heard).toBe("abort");
    expect([existsSync(join(cwd, "a")), existsSync(join(cwd, "pid"))]).toEqual([false, pid !== 0]);
    expect(model.requests).toHaveLength(1);
    const texts = JSON.stringify(session.messages.filter(({ type }) => type === "user"));
    expect(texts.match(/did not run/g)).toHaveLength(2);
  });
});
