import { createHost, query, type SDKMessage } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { assertComplete, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it, vi } from "vitest";
import { gate, live, said, silence, streaming } from "../kit/live.ts";
import { run } from "../kit/session.ts";

const summary = (messages: readonly SDKMessage[]) =>
  messages.flatMap((message) =>
    message.type === "result" ? [message.result ?? message.errors?.join()] : [],
  );

describe("a string prompt", () => {
  it("gives one result, which is the last message", async () => {
    const { messages, result, model } = await run(["hello"]);
    expect(messages.map((message) => message.type)).toEqual(["system", "assistant", "result"]);
    expect(result).toMatchObject({ subtype: "success", result: "hello", is_error: false });
    expect(model.requests[0]?.messages).toEqual([{ role: "user", parts: [{ type: "text", text: "go" }] }]);
  });

  it("begins at once, read or not", async () => {
    const model = scriptedModel(["hello"]);
    const session = query({ prompt: "go", options: { model, persistSession: false } });
    await vi.waitFor(() => expect(model.requests).toHaveLength(1));
    await session.close();
  });

  it("takes more messages by streamInput while it runs, each with a result", async () => {
    const door = gate();
    const model = scriptedModel([() => door.wait().then(() => "first"), "second", "third"]);
    const session = live("one", { model });
    await door.reached;
    const fed = session.query.streamInput(
      (async function* () {
        yield said("two");
        door.open();
        yield said("three");
      })(),
    );
    await fed;
    expect(await session.ended).toBeUndefined();
    expect(summary(session.messages)).toEqual(["first", "second", "third"]);
    await expect(session.query.streamInput((async function* () {})())).rejects.toMatchObject({
      code: "query_closed",
    });
  });

  it("streamInput tells its caller what is wrong, and the session goes on", async () => {
    const door = gate();
    const session = live("one", { model: scriptedModel([() => door.wait().then(() => "first")]) });
    await door.reached;
    await expect(session.query.streamInput([said("x")] as never)).rejects.toMatchObject({
      code: "invalid_option",
    });
    async function* bad() {
      yield "no message" as never;
    }
    await expect(session.query.streamInput(bad())).rejects.toMatchObject({ code: "invalid_option" });
    async function* broken(): AsyncGenerator<never> {
      yield* [];
      throw new Error("the microphone is off");
    }
    await expect(session.query.streamInput(broken())).rejects.toThrow("the microphone is off");
    door.open();
    expect(await session.ended).toBeUndefined();
    expect(summary(session.messages)).toEqual(["first"]);
  });
});

describe("a prompt stream", () => {
  it("gives one result a message, and ends when the stream has ended", async () => {
    const model = scriptedModel(["one", { toolCalls: [{ name: "LS" }] }, "two", "three"]);
    const cleaned = vi.fn();
    async function* prompts() {
      try {
        for (const text of ["a", "b", "c"]) yield said(text);
      } finally {
        cleaned();
      }
    }
    const session = live(prompts(), { model });
    expect(await session.ended).toBeUndefined();
    assertComplete(session.messages);
    expect(summary(session.messages)).toEqual(["one", "two", "three"]);
    expect(session.results().map((result) => result.num_turns)).toEqual([1, 2, 1]);
    expect(cleaned).toHaveBeenCalledOnce();
    expect(model.requests.at(-1)?.messages).toHaveLength(7);
  });

  it("that yields nothing ends without a result", async () => {
    const session = live((async function* () {})(), { model: scriptedModel([]) });
    expect(await session.ended).toBeUndefined();
    expect(session.messages.map((message) => message.type)).toEqual(["system"]);
  });

  it("may wait for the answer before it goes on", async () => {
    const results: string[] = [];
    const next = gate();
    async function* prompts() {
      yield said("a");
      await next.wait();
      yield said(`b after ${results.join()}`);
    }
    const model = scriptedModel(["one", "two"]);
    const session = live(prompts(), { model });
    const first = await session.until((message) => message.type === "result");
    results.push(first.type === "result" ? (first.result ?? "") : "");
    next.open();
    await session.ended;
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("b after one");
  });

  it.each<readonly [string, () => AsyncIterable<never>, RegExp, string]>([
    [
      "a bad message",
      async function* () {
        yield { type: "user", message: { role: "user", content: 5 } } as never;
      },
      /message\.message\.content is 5/,
      "invalid_option",
    ],
    [
      "a throw",
      async function* () {
        yield* [] as never[];
        throw new Error("the queue is gone");
      },
      /the queue is gone/,
      "internal",
    ],
    [
      "a throw of nothing",
      async function* () {
        yield* [] as never[];
        throw undefined;
      },
      /without saying why/,
      "internal",
    ],
  ])(
    "with %s behind a good message: its result, then an error result; nothing is thrown",
    async (_, rest, why, reason) => {
      async function* prompts() {
        yield said("good");
        yield* rest();
      }
      const session = live(prompts(), { model: scriptedModel(["fine"]) });
      expect(await session.ended).toBeUndefined();
      expect(session.results()).toMatchObject([
        { subtype: "success", result: "fine" },
        { subtype: "error_during_execution", is_error: true, terminal_reason: reason },
      ]);
      expect(session.results()[1]?.errors?.[0]).toMatch(why);
    },
  );
});

describe("a prompt that is no stream after all", () => {
  it("has an error result", async () => {
    const prompt = {
      [Symbol.asyncIterator]() {
        throw new Error("not today");
      },
    };
    const session = live(prompt as never, { model: scriptedModel([]) });
    expect(await session.ended).toBeUndefined();
    expect(session.results()).toMatchObject([{ is_error: true, errors: ["not today"] }]);
  });
});

describe("priorities", () => {
  it("`next` joins the turn that runs at its next request; `later` waits for its own", async () => {
    const running = gate();
    const model = scriptedModel([
      { toolCalls: [{ name: "LS" }] },
      () => running.wait().then(() => ({ toolCalls: [{ name: "LS" }] })),
      "one",
      "two",
    ]);
    async function* prompts() {
      yield said("a");
      await running.reached;
      yield said("later b");
      yield said("next c", { priority: "next" });
      running.open();
    }
    const session = live(prompts(), { model, allowedTools: ["LS"] });
    await session.ended;
    const texts = (at: number) => JSON.stringify(model.requests[at]?.messages);
    expect(texts(1)).not.toContain("next c");
    expect(texts(2)).toContain("next c");
    expect(texts(2)).not.toContain("later b");
    expect(texts(3)).toContain("later b");
    expect(summary(session.messages)).toEqual(["one", "two"]);
  });

  it("`now` cuts the running turn short and goes first", async () => {
    const heard: string[] = [];
    const model = streaming(async function* (request) {
      if (request === 1) {
        yield { type: "text", delta: "long story" };
        heard.push("streaming");
        await silence();
      }
      yield { type: "text", delta: `answer ${request}` };
      yield { type: "finish", stopReason: "end_turn" };
    });
    async function* prompts() {
      yield said("a");
      await vi.waitFor(() => expect(heard).toHaveLength(1));
      yield said("later");
      yield said("stop that", { priority: "now" });
    }
    const session = live(prompts(), { model });
    expect(await session.ended).toBeUndefined();
    expect(session.results()).toMatchObject([
      { subtype: "error_during_execution", terminal_reason: "interrupted" },
      { subtype: "success", result: "answer 2" },
      { subtype: "success", result: "answer 3" },
    ]);
    expect(session.results()[0]?.errors?.[0]).toMatch(/new message/);
  });
});

describe("a host", () => {
  it("that is closed ends its sessions and takes no more", async () => {
    const host = createHost({ store: memoryStore() });
    const session = live("go", { model: streaming(silent) }, host);
    await session.until((message) => message.type === "system");
    await Promise.all([host.close(), host.close()]);
    expect(await session.ended).toBeUndefined();
    expect(session.results()).toMatchObject([{ terminal_reason: "closed" }]);
    expect(() => host.query({ prompt: "go" })).toThrow(expect.objectContaining({ code: "query_closed" }));
  });
});

async function* silent(): AsyncGenerator<never> {
  yield await silence();
}
