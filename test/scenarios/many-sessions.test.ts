import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, type Options, query, type SDKMessage } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { assertComplete, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { live, streaming } from "../kit/live.ts";
import { scratch } from "../kit/session.ts";

describe("sessions beside each other", () => {
  it("20 in one process do not mix: each has its files, its messages, its mode, its history", async () => {
    const host = createHost({ store: memoryStore() });
    const sessions = Array.from({ length: 20 }, (_, at) => {
      const cwd = scratch();
      const mayWrite = at % 2 === 0;
      const model = scriptedModel([
        { toolCalls: [{ name: "Bash", input: { command: `mkdir sub && cd sub && echo ${at} > mine.txt` } }] },
        { toolCalls: [{ name: "Write", input: { file_path: join(cwd, "written.txt"), content: `${at}` } }] },
        `session ${at}`,
      ]);
      const options: Options = { model, cwd, allowedTools: mayWrite ? ["Bash", "Write"] : ["Bash"] };
      return { at, cwd, mayWrite, model, session: live(`prompt ${at}`, options, host) };
    });
    await Promise.all(sessions.map(({ session }) => session.ended));
    for (const { at, cwd, mayWrite, model, session } of sessions) {
      assertComplete(session.messages);
      expect(session.results()).toMatchObject([
        { subtype: "success", result: `session ${at}`, num_turns: 3 },
      ]);
      expect(readFileSync(join(cwd, "sub/mine.txt"), "utf8")).toBe(`${at}\n`);
      expect(existsSync(join(cwd, "written.txt"))).toBe(mayWrite);
      expect(session.results()[0]?.permission_denials).toHaveLength(mayWrite ? 0 : 1);
      const said = JSON.stringify(model.requests.at(-1)?.messages);
      expect(said).toContain(`prompt ${at}"`);
      expect(said.match(/prompt \d+/g)).toHaveLength(1);
    }
    const ids = sessions.map(({ session }) => session.messages[0]?.session_id);
    expect(new Set(ids).size).toBe(20);
    for (const { session } of sessions)
      expect(new Set(session.messages.map((m) => m.session_id)).size).toBe(1);
  });

  it("two hosts do not see each other; two over one store do", async () => {
    const store = memoryStore();
    const cwd = scratch();
    const one = createHost({ store });
    const session = live("go", { model: scriptedModel(["one"]), cwd }, one);
    await session.ended;
    const resume = session.messages[0]?.session_id ?? "";
    const more = (host: ReturnType<typeof createHost>) =>
      live("more", { model: scriptedModel(["two"]), cwd, resume }, host);
    const stranger = more(createHost({ store: memoryStore() }));
    await stranger.ended;
    expect(stranger.results()).toMatchObject([{ terminal_reason: "session_not_found" }]);
    const brother = more(createHost({ store }));
    await brother.ended;
    expect(brother.results()).toMatchObject([{ result: "two" }]);
  });

  it("the end of one host leaves the sessions of another alone", async () => {
    const [one, two] = [createHost({ store: memoryStore() }), createHost({ store: memoryStore() })];
    let answer = (_: string): void => {};
    const slow = scriptedModel([
      () =>
        new Promise<string>((resolve) => {
          answer = resolve;
        }),
    ]);
    const session = live("go", { model: slow }, two);
    await session.until((message) => message.type === "system");
    await one.close();
    while (slow.requests.length === 0) await new Promise(setImmediate);
    answer("still here");
    await session.ended;
    expect(session.results()).toMatchObject([{ result: "still here" }]);
  });
});

describe("a reader that is slow", () => {
  /** How many messages a session holds for its reader is not public; what it holds can be weighed. */
  async function collect(messages: AsyncIterable<SDKMessage>): Promise<SDKMessage[]> {
    const all: SDKMessage[] = [];
    for await (const message of messages) all.push(message);
    return all;
  }

  const textOf = (messages: readonly SDKMessage[]): string =>
    messages
      .map((message) =>
        message.type === "stream_event" &&
        message.event.type === "content_block_delta" &&
        message.event.delta.type === "text_delta"
          ? message.event.delta.text
          : "",
      )
      .join("");

  it("gets all the text of 20,000 deltas that it let wait, in at most some 1,000 messages", async () => {
    let isDone = false;
    const pieces = Array.from({ length: 20_000 }, (_, at) => `${at} `);
    const model = streaming(async function* () {
      for (const delta of pieces) yield { type: "text", delta };
      yield { type: "finish", stopReason: "end_turn" };
      isDone = true;
    });
    const session = query({
      prompt: "go",
      options: { model, persistSession: false, includePartialMessages: true },
    });
    while (!isDone) await new Promise(setImmediate);
    const messages = await collect(session);
    expect(textOf(messages)).toBe(pieces.join(""));
    expect(messages.length).toBeLessThan(1_100);
    expect(messages.at(-1)).toMatchObject({ type: "result", result: pieces.join("") });
  });

  it("holds the model where deltas cannot be joined, and gets every one of them in the end", async () => {
    let given = 0;
    const model = streaming(async function* () {
      for (; given < 6_000; given += 1)
        yield { type: given % 2 === 0 ? "text" : "reasoning", delta: `${given} ` };
      yield { type: "finish", stopReason: "end_turn" };
    });
    const session = query({
      prompt: "go",
      options: { model, persistSession: false, includePartialMessages: true },
    });
    let before = -1;
    while (before !== given || given === 0) {
      before = given;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // Three events a block: the model stands at some 4,000 events.
    expect(given).toBeGreaterThan(1_000);
    expect(given).toBeLessThan(1_500);
    const messages = await collect(session);
    expect(given).toBe(6_000);
    const even = Array.from({ length: 3_000 }, (_, at) => `${at * 2} `).join("");
    expect(textOf(messages)).toBe(even);
    expect(messages.at(-1)).toMatchObject({ type: "result", subtype: "success" });
  });

  it("that never reads keeps nobody from closing", async () => {
    const model = streaming(async function* () {
      for (;;) {
        yield { type: "text", delta: "a" };
        yield { type: "reasoning", delta: "b" };
      }
    });
    const session = query({
      prompt: "go",
      options: { model, persistSession: false, includePartialMessages: true },
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await session.close();
    expect((await collect(session)).at(-1)).toMatchObject({ type: "result", terminal_reason: "closed" });
  });

  it("loses no finished message, however many there are", async () => {
    const turns = Array.from({ length: 200 }, () => ({
      toolCalls: Array.from({ length: 5 }, () => ({ name: "Nope" })),
    }));
    const model = scriptedModel([...turns, "done"]);
    const session = query({ prompt: "go", options: { model, persistSession: false } });
    while (model.requests.length < 201) await new Promise(setImmediate);
    const messages = await collect(session);
    assertComplete(messages);
    expect(messages.filter((message) => message.type === "user")).toHaveLength(1_000);
    expect(messages.at(-1)).toMatchObject({ type: "result", num_turns: 201 });
  });
});
