import { createHost, type Options, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { assertComplete, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { clientOf, response, resultOf } from "../kit/client.ts";
import { gate, said, silence, streaming } from "../kit/live.ts";
import { resultText } from "../kit/session.ts";

const now = said("now this", { priority: "now" });
const text = (content: string) => ({ content: [{ type: "text" as const, text: content }] });
const done = { type: "finish", stopReason: "end_turn" } as const;

/** The texts of people in a request. */
const heard = (model: ReturnType<typeof scriptedModel>, at: number) =>
  (model.requests[at]?.messages ?? []).flatMap(({ role, parts }) =>
    role !== "user" ? [] : parts.map((part) => (part.type === "text" ? part.text : part.type)),
  );

/** A session that stands still somewhere in its first turn, gets a `now` there, and answers that. */
async function stoppedAt(options: Options, reached: Promise<unknown>) {
  await using client = clientOf(options);
  await client.query("first");
  await reached;
  await client.query(now);
  const cut = await response(client);
  assertComplete(cut);
  expect(resultOf(cut)).toMatchObject({
    subtype: "error_during_execution",
    terminal_reason: "interrupted",
    errors: [expect.stringMatching(/by a new message/)],
  });
  const answer = await response(client);
  expect(resultOf(answer)).toMatchObject({ subtype: "success", result: "at once" });
  return cut;
}

describe("a message of priority `now`", () => {
  it("in the middle of an answer cuts it short; what was said stands in the history", async () => {
    const door = gate();
    const asked: string[][] = [];
    const model = streaming(async function* (request, signal) {
      if (request > 1) {
        yield { type: "text", delta: "at once" };
        yield done;
        return;
      }
      yield { type: "text", delta: "half an ans" };
      void door.wait();
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const seen: typeof model = {
      ...model,
      stream(request, more) {
        asked.push(request.messages.map(({ role }) => role));
        return model.stream(request, more);
      },
    };
    await stoppedAt({ model: seen }, door.reached);
    expect(asked[1]).toEqual(["user", "assistant", "user"]);
  });

  it("in the pause before a retry ends the pause", async () => {
    const door = gate();
    const model = scriptedModel([{ text: "x", breakOff: true }, "at once"]);
    await using client = clientOf({ model });
    await client.query("first");
    for await (const message of client.receiveMessages()) {
      if (message.type !== "system" || message.subtype !== "api_retry") continue;
      void door.wait();
      break;
    }
    await client.query(now);
    expect(resultOf(await response(client))).toMatchObject({ terminal_reason: "interrupted" });
    expect(resultOf(await response(client))).toMatchObject({ result: "at once" });
  });

  it.each(["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"] as const)(
    "while a hook of %s thinks ends the wait for it",
    async (event) => {
      const door = gate();
      let times = 0;
      const hook = () => {
        times += 1;
        return times > 1 ? {} : door.wait().then(() => ({}));
      };
      const look = tool("look", "Looks.", {}, () => text("seen"), { annotations: { readOnlyHint: true } });
      const calls = event === "PreToolUse" || event === "PostToolUse";
      const first = calls ? [{ toolCalls: [{ name: "look" }] }] : event === "Stop" ? ["one"] : [];
      const model = scriptedModel([...first, "at once"]);
      await stoppedAt(
        { model, tools: [look], allowedTools: ["look"], hooks: { [event]: [{ hooks: [hook] }] } },
        door.reached,
      );
      // What no hook has looked at reaches no model.
      expect(heard(model, model.requests.length - 1)).toEqual(
        event === "UserPromptSubmit" ? ["now this"] : ["first", "now this"],
      );
    },
  );

  it("while `canUseTool` is awaited withdraws the question, and the call does not run", async () => {
    const door = gate();
    let ran = 0;
    let isWithdrawn = false;
    const act = tool("act", "Acts.", {}, () => {
      ran += 1;
      return text("done");
    });
    const canUseTool: Options["canUseTool"] = (_, __, { signal }) => {
      signal.addEventListener("abort", () => {
        isWithdrawn = true;
      });
      void door.wait();
      return silence();
    };
    const model = scriptedModel([{ toolCalls: [{ name: "act" }, { name: "act" }] }, "at once"]);
    const cut = await stoppedAt({ model, tools: [act], canUseTool }, door.reached);
    expect([ran, isWithdrawn]).toEqual([0, true]);
    const texts = cut.flatMap((message) => (message.type === "user" ? [resultText(message)] : []));
    expect(texts).toEqual([
      expect.stringMatching(/a new message came/),
      expect.stringMatching(/a new message came/),
    ]);
  });

  it("while a question waits in the inbox takes it back there", async () => {
    const host = createHost({ store: memoryStore() });
    let ran = 0;
    const act = tool("act", "Acts.", {}, () => {
      ran += 1;
      return text("done");
    });
    const model = scriptedModel([{ toolCalls: [{ name: "act" }] }, "at once"]);
    await using client = clientOf({ model, tools: [act], approvals: "durable" }, host);
    await client.query("first");
    for await (const message of client.receiveMessages()) {
      if (message.type === "system" && message.subtype === "approval_requested") break;
    }
    await client.query(now);
    const cut = await response(client);
    expect(resultOf(cut)).toMatchObject({ terminal_reason: "interrupted" });
    expect(resultOf(await response(client))).toMatchObject({ result: "at once" });
    expect(await host.approvals.list({ status: "pending" })).toEqual([]);
    expect(ran).toBe(0);
    // It had been written down while the question stood, and is heard once all the same.
    expect(heard(model, 1)).toEqual(["first", "now this"]);
  });

  it("while the history is summed up leaves the history as it was", async () => {
    const door = gate();
    const model = scriptedModel(["one", "two", () => door.wait().then(() => "SUMMARY"), "at once"]);
    await using client = clientOf({ model });
    const long = `first ${"and so on ".repeat(2_000)}`;
    for (const each of [long, "second"]) {
      await client.query(each);
      await response(client);
    }
    await client.query("/compact");
    await door.reached;
    await client.query(now);
    expect(resultOf(await response(client))).toMatchObject({ terminal_reason: "interrupted" });
    door.open();
    expect(resultOf(await response(client))).toMatchObject({ result: "at once" });
    expect(heard(model, 3)).toEqual([long, "second", "now this"]);
  });

  it("where nothing runs is a message like another", async () => {
    const model = scriptedModel(["one", "two"]);
    await using client = clientOf({ model });
    for (const result of ["one", "two"]) {
      await client.query(now);
      expect(resultOf(await response(client))).toMatchObject({ subtype: "success", result });
    }
  });

  it("several go before all others, in their own order, each with a result", async () => {
    const door = gate();
    const model = scriptedModel([() => door.wait().then(() => "never"), "a", "b", "c"]);
    await using client = clientOf({ model });
    await client.query("first");
    await door.reached;
    await client.query(said("later"));
    for (const name of ["urgent 1", "urgent 2"]) await client.query(said(name, { priority: "now" }));
    const results = [];
    for (let i = 0; i < 4; i += 1) results.push(resultOf(await response(client)));
    door.open();
    expect(results.map(({ result }) => result)).toEqual([undefined, "a", "b", "c"]);
    expect(heard(model, 3)).toEqual(["first", "urgent 1", "urgent 2", "later"]);
  });
});

describe("interruptBehavior", () => {
  /** A call of each kind runs, side by side, and says how it ended. */
  function two() {
    const door = gate();
    const stops: string[] = [];
    const both = gate();
    let begun = 0;
    const make = (name: "block" | "cancel") =>
      tool({
        name,
        version: "1.0.0",
        description: name,
        inputSchema: {},
        riskLevel: "low",
        isConcurrencySafe: () => true,
        interruptBehavior: () => name,
        execute: async (_: unknown, { signal }: { signal: AbortSignal }) => {
          begun += 1;
          const stopped = new Promise<void>((resolve) =>
            signal.addEventListener("abort", () => {
              stops.push(`${name}: ${signal.reason.code}`);
              resolve();
            }),
          );
          if (begun === 2) void both.wait();
          await Promise.race([door.wait(), stopped]);
          return text(`the end of ${name}`);
        },
      });
    const model = scriptedModel([{ toolCalls: [{ name: "cancel" }, { name: "block" }] }, "at once"]);
    const options: Options = {
      model,
      tools: [make("block"), make("cancel")],
      allowedTools: ["block", "cancel"],
    };
    return { options, model, stops, running: both.reached, goOn: () => door.open() };
  }

  it("C24 a `now` stops calls that say cancel and waits for those that say block; then it is heard", async () => {
    const { options, model, stops, running, goOn } = two();
    await using client = clientOf(options);
    await client.query("first");
    await running;
    await client.query(now);
    await new Promise(setImmediate);
    expect(stops).toEqual(["cancel: new_message"]);
    expect(model.requests).toHaveLength(1);
    goOn();
    const cut = await response(client);
    const texts = cut.flatMap((message) => (message.type === "user" ? [resultText(message)] : []));
    expect(texts.sort()).toEqual([
      "This call was cancelled: a new message came. What it had so far was dropped.",
      "the end of block",
    ]);
    expect(resultOf(cut)).toMatchObject({ terminal_reason: "interrupted" });
    expect(resultOf(await response(client))).toMatchObject({ result: "at once" });
    expect(heard(model, 1)).toEqual(["first", "now this"]);
    expect(stops).toEqual(["cancel: new_message"]);
  });

  it.each(["interrupt", "close", "abort"] as const)(
    "C24 %s behind it does not wait for what says block",
    async (stop) => {
      const abortController = new AbortController();
      const { options, stops, running } = two();
      const client = clientOf({ ...options, abortController });
      await client.query("first");
      await running;
      await client.query(now);
      if (stop === "interrupt") expect(await client.interrupt()).toMatchObject({ stopped: true });
      else if (stop === "abort") abortController.abort();
      else void client.close();
      const cut = await response(client);
      assertComplete(cut);
      expect(stops).toEqual(["cancel: new_message", `block: ${stop}`]);
      if (stop === "interrupt") expect(resultOf(await response(client))).toMatchObject({ result: "at once" });
      await client.close();
    },
  );

  it("C24 calls that had not begun do not run, and those of a handler that finishes do", async () => {
    const door = gate();
    const ran: string[] = [];
    const inner = tool("inner", "Inner.", {}, () => {
      ran.push("inner");
      return text("inside");
    });
    const outer = tool("outer", "Outer.", {}, async (_, { callTool }) => {
      await door.wait();
      const { content } = await callTool("inner", {});
      return { content: [...content] } as ReturnType<typeof text>;
    });
    const model = scriptedModel([{ toolCalls: [{ name: "outer" }, { name: "inner" }] }, "at once"]);
    await using client = clientOf({ model, tools: [outer, inner], allowedTools: ["outer", "inner"] });
    await client.query("first");
    await door.reached;
    await client.query(now);
    door.open();
    const cut = await response(client);
    const texts = cut.flatMap((message) => (message.type === "user" ? [resultText(message)] : []));
    expect(texts).toEqual(["inside", "This call did not run: a new message came."]);
    expect(ran).toEqual(["inner"]);
  });

  it("C24 a tool that says nothing is let finish; `timeoutMs` holds all the same", async () => {
    const door = gate();
    const stuck = tool("stuck", "Hangs.", {}, () => door.wait().then(() => text("never")), {
      timeoutMs: 100,
    });
    const model = scriptedModel([{ toolCalls: [{ name: "stuck" }] }, "at once"]);
    await using client = clientOf({ model, tools: [stuck], allowedTools: ["stuck"] });
    await client.query("first");
    await door.reached;
    await client.query(now);
    const cut = await response(client);
    const texts = cut.flatMap((message) => (message.type === "user" ? [resultText(message)] : []));
    expect(texts).toEqual([expect.stringMatching(/timed out after 100 ms/)]);
    expect(resultOf(await response(client))).toMatchObject({ result: "at once" });
  });
});
