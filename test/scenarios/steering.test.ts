import { existsSync } from "node:fs";
import { join } from "node:path";
import { createHost, type Options, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { assertComplete, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { ask, clientOf, response, resultOf } from "../kit/client.ts";
import { gate, live, said } from "../kit/live.ts";
import { scratch } from "../kit/session.ts";

/** Texts of the user messages of a request, in order. */
const heard = (model: ReturnType<typeof scriptedModel>, at: number) =>
  (model.requests[at]?.messages ?? []).flatMap(({ role, parts }) =>
    role !== "user" ? [] : parts.map((part) => (part.type === "text" ? part.text : part.type)),
  );

const PRIORITIES = ["now", "next", "later"] as const;
const ORDERS = PRIORITIES.flatMap((a) =>
  PRIORITIES.filter((b) => b !== a).map(
    (b) => [a, b, PRIORITIES.find((c) => c !== a && c !== b) ?? a] as const,
  ),
);

describe("messages that come while a turn runs", () => {
  it.each(ORDERS)(
    "%s, %s, %s: `now` stops the turn and goes first, `next` joins it, `later` waits",
    async (...order) => {
      const door = gate();
      const wait = tool("wait", "Waits.", {}, () => door.wait().then(DONE), { riskLevel: "low" });
      const model = scriptedModel([{ toolCalls: [{ name: "wait" }] }, "urgent", "last", "nobody asked"]);
      await using client = clientOf({ model, tools: [wait] });
      await client.query("first");
      await door.reached;
      for (const priority of order) await client.query(said(priority, { priority }));
      door.open();
      const cut = await response(client);
      assertComplete(cut);
      expect(resultOf(cut)).toMatchObject({ terminal_reason: "interrupted" });
      expect(resultOf(await response(client)).result).toBe("urgent");
      expect(resultOf(await response(client)).result).toBe("last");
      expect(heard(model, 1)).toEqual(["first", "now", "next"]);
      expect(heard(model, 2)).toEqual(["first", "now", "next", "later"]);
      expect(model.requests).toHaveLength(3);
    },
  );

  it.each([
    ["next", "later"],
    ["later", "next"],
  ] as const)(
    "%s, %s: without `now` the turn goes on; `next` is in at its next request",
    async (...order) => {
      const door = gate();
      const wait = tool("wait", "Waits.", {}, () => door.wait().then(DONE), { riskLevel: "low" });
      const model = scriptedModel([{ toolCalls: [{ name: "wait" }] }, "one", "two"]);
      await using client = clientOf({ model, tools: [wait] });
      await client.query("first");
      await door.reached;
      for (const priority of order) await client.query(said(priority, { priority }));
      door.open();
      expect(resultOf(await response(client)).result).toBe("one");
      expect(resultOf(await response(client)).result).toBe("two");
      expect(heard(model, 1)).toEqual(["first", "next"]);
      expect(heard(model, 2)).toEqual(["first", "next", "later"]);
    },
  );

  it("`next` that comes too late to join starts a turn of its own", async () => {
    const door = gate();
    const model = scriptedModel([() => door.wait().then(() => "one"), "two"]);
    await using client = clientOf({ model });
    await client.query("first");
    await door.reached;
    await client.query(said("late", { priority: "next" }));
    door.open();
    expect(resultOf(await response(client)).result).toBe("one");
    expect(resultOf(await response(client)).result).toBe("two");
    expect(heard(model, 1)).toEqual(["first", "late"]);
  });

  it("the default is `later`", async () => {
    const door = gate();
    const model = scriptedModel([
      () => door.wait().then(() => ({ toolCalls: [{ name: "LS" }] })),
      "one",
      "two",
    ]);
    await using client = clientOf({ model, allowedTools: ["LS"] });
    await client.query("first");
    await door.reached;
    await client.query(said("second"));
    door.open();
    await response(client);
    expect(heard(model, 1)).toEqual(["first"]);
    expect(resultOf(await response(client)).result).toBe("two");
  });
});

describe("setPermissionMode()", () => {
  it("in the middle of a turn holds at the next decision, and is told", async () => {
    const cwd = scratch();
    const door = gate();
    const wait = tool("wait", "Waits.", {}, () => door.wait().then(DONE), { riskLevel: "low" });
    const write = (name: string) => ({ name: "Write", input: { file_path: join(cwd, name), content: "x" } });
    const model = scriptedModel([
      { toolCalls: [write("before")] },
      { toolCalls: [{ name: "wait" }, write("after")] },
      "one",
    ]);
    await using client = clientOf({ model, cwd, tools: [wait, "Write"] });
    await client.query("go");
    await door.reached;
    await client.setPermissionMode("acceptEdits");
    door.open();
    const messages = await response(client);
    expect([existsSync(join(cwd, "before")), existsSync(join(cwd, "after"))]).toEqual([false, true]);
    expect(messages).toContainEqual(
      expect.objectContaining({ subtype: "status", permissionMode: "acceptEdits" }),
    );
    expect(resultOf(messages).permission_denials).toHaveLength(1);
  });

  it("holds over the turns of a client, and refuses what may not be set", async () => {
    const cwd = scratch();
    const write = { toolCalls: [{ name: "Write", input: { file_path: join(cwd, "a"), content: "x" } }] };
    const model = scriptedModel([write, "one", write, "two"]);
    await using client = clientOf({ model, cwd, tools: ["Write"] });
    await client.setPermissionMode("acceptEdits");
    await ask(client, "a");
    expect(existsSync(join(cwd, "a"))).toBe(true);
    for (const mode of ["bypassPermissions", "yolo", "bubble", "nonsense"]) {
      await expect(client.setPermissionMode(mode as never), mode).rejects.toMatchObject({
        code: "invalid_option",
      });
    }
    await client.setPermissionMode("plan");
    expect(resultOf(await ask(client, "b")).permission_denials).toHaveLength(1);
  });
});

describe("setModel()", () => {
  const first = () => scriptedModel(["one", { toolCalls: [{ name: "LS" }] }, "never"], { id: "first" });
  const allowed: Options = { allowedTools: ["LS"] };

  it("holds from the next request on, also in the middle of a turn; the history goes along", async () => {
    const door = gate();
    const wait = tool("wait", "Waits.", {}, () => door.wait().then(DONE), { riskLevel: "low" });
    const a = scriptedModel([{ toolCalls: [{ name: "wait" }] }, "never"], { id: "a" });
    const b = scriptedModel(["from b", "again b"], { id: "b" });
    await using client = clientOf({ model: a, tools: [wait] });
    await client.query("go");
    await door.reached;
    await client.setModel(b);
    door.open();
    const messages = await response(client);
    expect(resultOf(messages)).toMatchObject({ result: "from b" });
    expect(Object.keys(resultOf(messages).modelUsage)).toEqual(["a", "b"]);
    expect(messages).toContainEqual(expect.objectContaining({ subtype: "status", model: "b" }));
    expect(messages.flatMap((each) => (each.type === "assistant" ? [each.message.model] : []))).toEqual([
      "a",
      "b",
    ]);
    expect(b.requests[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(resultOf(await ask(client, "more")).result).toBe("again b");
    expect(a.requests).toHaveLength(1);
  });

  it("while an answer is on its way leaves it to the model that was asked: its tokens count as that model's", async () => {
    const door = gate();
    const a = scriptedModel([() => door.wait().then(() => "from a")], { id: "a" });
    const b = scriptedModel(["from b"], { id: "b" });
    await using client = clientOf({ model: a });
    await client.query("go");
    await door.reached;
    await client.setModel(b);
    door.open();
    expect(Object.keys(resultOf(await response(client)).modelUsage)).toEqual(["a"]);
    expect(Object.keys(resultOf(await ask(client, "more")).modelUsage)).toEqual(["b"]);
  });

  it("without a model goes back to the first one; the last of several calls holds", async () => {
    const a = scriptedModel(["a1", "a2"], { id: "a" });
    const b = scriptedModel(["b1"], { id: "b" });
    const c = scriptedModel(["c1"], { id: "c" });
    await using client = clientOf({ model: a });
    await Promise.all([client.setModel(b), client.setModel(c)]);
    expect(resultOf(await ask(client, "1")).result).toBe("c1");
    await client.setModel();
    expect(resultOf(await ask(client, "2")).result).toBe("a1");
  });

  it("is kept by the log: a resume goes on with it", async () => {
    const host = createHost({
      store: memoryStore(),
      platform: { env: { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" } },
    });
    const cwd = scratch();
    const client = clientOf({ model: "anthropic/claude-haiku-4-5", cwd }, host);
    await client.setModel("openai/gpt-5-mini");
    await client.interrupt();
    void client.query("a");
    await client.interrupt();
    const sessionId = resultOf(await response(client)).session_id;
    await client.close();
    const again = live("", { cwd, resume: sessionId }, host);
    const init = await again.until((message) => message.type === "system");
    expect(init).toMatchObject({ subtype: "init", model: "openai/gpt-5-mini" });
    await again.query.close();
  });

  it.each<readonly [string, unknown, string, RegExp]>([
    ["a name that is none", "nonsense", "invalid_model", /"nonsense".*names no model/],
    ["a provider without its key", "anthropic/claude-opus-5", "missing_key", /ANTHROPIC_API_KEY/],
    ["what is no model", 7, "invalid_option", /setModel\(\)\.model is 7/],
    ["no text", "", "invalid_option", /setModel\(\)\.model is ""/],
  ])("refuses %s, and the old model stays", async (_, model, code, why) => {
    const host = createHost({ store: memoryStore(), platform: { env: {} } });
    const a = first();
    await using client = clientOf({ model: a, ...allowed }, host);
    await expect(client.setModel(model as never)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(why),
    });
    expect(resultOf(await ask(client, "a")).result).toBe("one");
  });

  it("refuses a model of unknown price under a budget in money", async () => {
    const host = createHost({ store: memoryStore(), models: { prices: { a: { input: 1, output: 1 } } } });
    await using client = clientOf({ model: scriptedModel(["one"], { id: "a" }), maxBudgetUsd: 1 }, host);
    await expect(client.setModel(scriptedModel([], { id: "b" }))).rejects.toMatchObject({
      subject: "maxBudgetUsd",
    });
    expect(resultOf(await ask(client, "a")).result).toBe("one");
  });

  it("never sends the key of one provider to another", async () => {
    const { apiKey } = await import("@castellan/sdk");
    const host = createHost({ store: memoryStore(), platform: { env: {} } });
    await using client = clientOf({ model: "anthropic/claude-haiku-4-5", auth: apiKey("secret") }, host);
    await client.setModel("anthropic/claude-opus-5");
    await expect(client.setModel("openai/gpt-5-mini")).rejects.toMatchObject({
      code: "missing_key",
      message: expect.stringMatching(/OPENAI_API_KEY/),
    });
  });
});

describe("setMaxThinkingTokens()", () => {
  it("holds from the next request on; null goes back to the option", async () => {
    const model = scriptedModel(["1", "2", "3", "4"]);
    await using client = clientOf({ model, thinking: { type: "adaptive" }, effort: "low" });
    await ask(client, "a");
    for (const tokens of [2048, 0, null]) {
      await client.setMaxThinkingTokens(tokens);
      await ask(client, "more");
    }
    expect(model.requests.map(({ thinking, effort }) => [thinking, effort])).toEqual([
      [{ type: "adaptive" }, "low"],
      [{ type: "enabled", budgetTokens: 2048 }, "low"],
      [{ type: "disabled" }, "low"],
      [{ type: "adaptive" }, "low"],
    ]);
    // The text in front stays the very same: caches of providers stay good.
    for (const request of model.requests) expect(request.tools).toBe(model.requests[0]?.tools);
    for (const wrong of [1023, -1, 1.5, Number.NaN, "2048", undefined]) {
      await expect(client.setMaxThinkingTokens(wrong as never)).rejects.toMatchObject({
        code: "invalid_option",
      });
    }
  });
});

const DONE = () => ({ content: [{ type: "text" as const, text: "done" }] });
