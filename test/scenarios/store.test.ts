import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { CastellanError, createHost, type Options, tool } from "@castellan/sdk";
import { jsonlStore, memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { live, said, storedTypes, watchedStore } from "../kit/live.ts";
import { scratch } from "../kit/session.ts";

const SESSION = "0199a0b0-0000-7000-8000-00000000000d";
const touch = (name: string) => ({ toolCalls: [{ name: "Bash", input: { command: `touch ${name}` } }] });

describe("where a session is kept", () => {
  it("persistSession false leaves no file, also where a result is too long for the model", async () => {
    const home = scratch();
    const host = createHost({ platform: { env: { ...process.env, CASTELLAN_HOME: home } } });
    const long = tool(
      "long",
      "Is long.",
      {},
      () => ({ content: [{ type: "text", text: "x".repeat(200_000) }] }),
      {
        riskLevel: "low",
      },
    );
    const options: Options = { tools: [long], allowedTools: ["long"], persistSession: false };
    const model = scriptedModel([{ toolCalls: [{ name: "long" }] }, "done"]);
    const session = live("go", { ...options, model }, host);
    await session.ended;
    expect(session.results()).toMatchObject([{ subtype: "success" }]);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toMatch(/left out/);
    expect(readdirSync(home)).toEqual([]);

    const kept = live(
      "go",
      { ...options, persistSession: true, model: scriptedModel([{ toolCalls: [{ name: "long" }] }, "done"]) },
      host,
    );
    await kept.ended;
    expect(readdirSync(home).sort()).toEqual(["artifacts", "sessions"]);
    await host.close();
  });

  it("sessionStore takes the log of its session, and the host's store stays empty", async () => {
    const [mine, hosts] = [memoryStore(), memoryStore()];
    const host = createHost({ store: hosts });
    const session = live(
      "go",
      { model: scriptedModel(["one"]), sessionStore: mine, sessionId: SESSION, title: "T" },
      host,
    );
    await session.ended;
    expect(await storedTypes(mine, SESSION)).toEqual([
      ...["session.started", "session.configured", "user.message"],
      ...["model.requested", "model.completed", "result"],
    ]);
    expect((await mine.read(SESSION))[0]).toMatchObject({ data: { sessionId: SESSION, title: "T" } });
    expect(await hosts.list()).toEqual([]);
    expect(host.store).toBe(hosts);
  });

  it("a JSONL store gives the session free at the end, for another store of the same folder", async () => {
    const home = scratch();
    const cwd = scratch();
    for (const [at, prompt] of ["a", "b"].entries()) {
      const host = createHost({ store: jsonlStore({ home }) });
      const which: Options = at === 0 ? { sessionId: SESSION } : { resume: SESSION };
      const session = live(prompt, { model: scriptedModel([`answer ${at}`]), cwd, ...which }, host);
      await session.ended;
      expect(session.results()).toMatchObject([{ result: `answer ${at}` }]);
    }
  });

  it("two JSONL stores of one folder: the second writer gets session_busy, and asks no model", async () => {
    const home = scratch();
    const cwd = scratch();
    const start = (prompt: string, turns: Parameters<typeof scriptedModel>[0], options: Options) => {
      const model = scriptedModel(turns);
      const store = jsonlStore({ home });
      return { model, session: live(prompt, { cwd, model, ...options }, createHost({ store })) };
    };
    let free = (): void => {};
    async function* prompts() {
      yield said("a");
      await new Promise<void>((resolve) => {
        free = resolve;
      });
    }
    const one = createHost({ store: jsonlStore({ home }) });
    const holder = live(prompts(), { cwd, model: scriptedModel(["one"]), sessionId: SESSION }, one);
    await holder.until((message) => message.type === "result");
    const second = start("b", ["never"], { resume: SESSION });
    await second.session.ended;
    expect(second.session.results()).toMatchObject([{ terminal_reason: "session_busy" }]);
    expect(second.model.requests).toEqual([]);
    free();
    await holder.ended;
    const third = start("c", ["three"], { resume: SESSION });
    await third.session.ended;
    expect(third.session.results()).toMatchObject([{ result: "three" }]);
  });
});

describe("what is written when", () => {
  it("`tool.started` is in the store before the side effect, the result before anybody is told", async () => {
    const cwd = scratch();
    const order: string[] = [];
    const store = watchedStore(async (batch) => {
      // A slow disk: whoever does not wait for it is found out.
      await new Promise((resolve) => setTimeout(resolve, 20));
      for (const event of batch.events) {
        order.push(event.type);
        const isOurs = event.type === "tool.started" && event.data.name === "Bash";
        if (isOurs) expect(existsSync(join(cwd, "marker"))).toBe(false);
      }
    });
    const mark = tool("mark", "Marks.", {}, () => {
      order.push("side effect");
      return { content: [{ type: "text", text: "ok" }] };
    });
    const model = scriptedModel([touch("marker"), { toolCalls: [{ name: "mark" }] }, "done"]);
    const options: Options = {
      cwd,
      model,
      tools: ["Bash", mark],
      allowedTools: ["Bash", "mark"],
      sessionStore: store,
    };
    const session = live("go", options);
    await session.until((message) => message.type === "result");
    order.push("told");
    await session.ended;
    expect(existsSync(join(cwd, "marker"))).toBe(true);
    expect(order.at(-1)).toBe("told");
    expect(order.at(-2)).toBe("result");
    const at = order.indexOf("side effect");
    expect(order.slice(0, at).filter((type) => type === "tool.started")).toHaveLength(2);
    expect(order.filter((type) => type === "result")).toHaveLength(1);
  });

  it("about two writes a turn, not one an event", async () => {
    let writes = 0;
    const store = watchedStore(() => {
      writes += 1;
    });
    const session = live("go", {
      model: scriptedModel([{ toolCalls: [{ name: "LS" }, { name: "LS" }] }, "done"]),
      sessionStore: store,
      tools: ["LS"],
    });
    await session.ended;
    expect(writes).toBeLessThanOrEqual(2);
  });
});

/** Every append from the one on that holds this type fails. */
function breaking(type: string, error: () => unknown = () => new Error("disk full")) {
  const stored: string[] = [];
  let isBroken = false;
  const store = watchedStore((batch) => {
    isBroken ||= batch.events.some((event) => event.type === type);
    if (isBroken) throw error();
    stored.push(...batch.events.map((event) => event.type));
  });
  return { store, stored };
}

describe("a store that fails in the middle", () => {
  it.each([
    ["a command", touch("marker")],
    ["a write", { toolCalls: [{ name: "Write", input: { file_path: "marker", content: "x" } }] }],
    ["several calls", { toolCalls: [...touch("marker").toolCalls, ...touch("marker2").toolCalls] }],
  ])("before %s: nothing happens, and the result tells", async (_, turn) => {
    const cwd = scratch();
    const { store } = breaking("tool.started");
    const model = scriptedModel([turn, "never"]);
    const options: Options = {
      cwd,
      model,
      sessionStore: store,
      sessionId: SESSION,
      allowedTools: ["Bash", "Write", "Edit"],
    };
    const session = live("go", options);
    expect(await session.ended).toBeUndefined();
    expect(readdirSync(cwd)).toEqual([]);
    expect(model.requests).toHaveLength(1);
    expect(session.results()).toMatchObject([
      { subtype: "error_during_execution", is_error: true, terminal_reason: "store_failed", num_turns: 1 },
    ]);
    expect(session.results()[0]?.errors?.[0]).toMatch(/disk full/);
  });

  it("at the result: success is not told, and the log can be resumed", async () => {
    const { store } = breaking("result");
    const session = live("go", { model: scriptedModel(["one"]), sessionStore: store, sessionId: SESSION });
    await session.ended;
    expect(session.results()).toMatchObject([
      { subtype: "error_during_execution", terminal_reason: "store_failed" },
    ]);
    expect(session.results()[0]).toMatchObject({ usage: { output_tokens: 1 }, num_turns: 1 });
  });

  it("ends a prompt stream too, whose generator gets its finally", async () => {
    let isClean = false;
    async function* prompts() {
      try {
        yield said("a");
        yield said("b");
        await new Promise(() => {});
      } finally {
        isClean = true;
      }
    }
    const { store } = breaking("result");
    const session = live(prompts(), { model: scriptedModel(["one", "two"]), sessionStore: store });
    expect(await session.ended).toBeUndefined();
    expect(session.results()).toMatchObject([{ terminal_reason: "store_failed" }]);
    expect(isClean).toBe(false);
  });

  it("keeps everything that was acknowledged: the next run starts from there", async () => {
    const inner = memoryStore();
    const cwd = scratch();
    let isDown = false;
    const store = watchedStore((batch) => {
      isDown ||= batch.events.some(
        (event) => event.type === "tool.started" && event.data.callId === "second",
      );
      if (isDown) throw new Error("disk full");
    }, inner);
    const call = (id: string, command: string) => ({ toolCalls: [{ id, name: "Bash", input: { command } }] });
    const model = scriptedModel([call("first", "touch one"), call("second", "touch two"), "never"]);
    const session = live("go", {
      cwd,
      model,
      sessionStore: store,
      sessionId: SESSION,
      allowedTools: ["Bash"],
    });
    await session.ended;
    expect([existsSync(join(cwd, "one")), existsSync(join(cwd, "two"))]).toEqual([true, false]);
    isDown = false;
    const again = scriptedModel(["finished"]);
    const next = live("", { cwd, model: again, sessionStore: inner, resume: SESSION });
    await next.ended;
    expect(next.results()).toMatchObject([{ result: "finished" }]);
    const history = JSON.stringify(again.requests[0]?.messages);
    expect(history).toContain("touch one");
    // Its start was acknowledged, its result was not: nobody may claim to know, and nobody runs it again.
    expect(history).toContain("Outcome unknown");
    expect(history).not.toContain("touch two");
  });

  it.each<readonly [string, () => unknown, string]>([
    ["with an error of its own", () => new CastellanError("session_busy", "Somebody else."), "session_busy"],
    ["with nothing", () => undefined, "store_failed"],
  ])("at the first write, %s: the run has failed and says why", async (_, error, reason) => {
    const { store } = breaking("session.started", error);
    const session = live("go", { model: scriptedModel(["one"]), sessionStore: store });
    expect(await session.ended).toBeUndefined();
    expect(session.results()).toMatchObject([{ terminal_reason: reason, is_error: true }]);
  });

  it("that is written by somebody else: store_conflict, and nothing of theirs is lost", async () => {
    const inner = memoryStore();
    const cwd = scratch();
    const store = watchedStore(async (batch) => {
      if (!batch.events.some((event) => event.type === "tool.started")) return;
      const { length } = await inner.read(SESSION);
      const event = { v: 1, seq: length + 1, id: "x", ts: 1, type: "cwd.changed", data: { cwd } };
      const theirs = { sessionId: SESSION, project: cwd, expectedSeq: length, batchId: "theirs" };
      await inner.append([{ ...theirs, events: [event as never] }]);
    }, inner);
    const model = scriptedModel([touch("marker"), "never"]);
    const session = live("go", {
      cwd,
      model,
      sessionStore: store,
      sessionId: SESSION,
      allowedTools: ["Bash"],
    });
    await session.ended;
    expect(session.results()).toMatchObject([{ terminal_reason: "store_conflict" }]);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each<readonly [string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("no release");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no release"))],
    ["gives no promise", () => undefined],
  ])("a release() that %s does not spoil the end", async (_, release) => {
    const store = { ...memoryStore(), release: release as never };
    const session = live("go", { model: scriptedModel(["one"]), sessionStore: store });
    expect(await session.ended).toBeUndefined();
    expect(session.results()).toMatchObject([{ result: "one" }]);
  });
});
