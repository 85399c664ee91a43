import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import type { Format } from "../../../../../test/loopback/index.ts";
import type { Message } from "../../protocol/index.ts";
import type { ModelRequest } from "../port.ts";
import {
  ask,
  closeAll,
  FORMATS,
  loopback,
  modelAt,
  NAMES,
  request,
  results,
  TOOL,
  user,
} from "./test-kit.ts";

afterEach(closeAll);

const MARK = '"cache_control":{"type":"ephemeral"}';
const tools = [TOOL, { ...TOOL, name: "Write" }, { ...TOOL, name: "mcp__x__y" }];
const prefix = { system: ["Who you are.", "Where you are."], tools, builtinTools: 2 };
/** Of models that think, and can be told how hard. */
const THINKERS = {
  anthropic: "anthropic/claude-opus-4-5",
  chat: "openai-chat/gpt-5.4",
  responses: "openai-responses/gpt-5.4",
} as const;
const SETTINGS: readonly [string, Partial<ModelRequest>, readonly Format[]][] = [
  ["maxOutputTokens", { maxOutputTokens: 7777 }, FORMATS],
  ["system", { system: ["Other."] }, FORMATS],
  ["thinking", { thinking: { type: "enabled", budgetTokens: 2000 } }, FORMATS],
  ["effort", { effort: "medium" }, FORMATS],
  // Only Messages marks the last built-in tool.
  ["builtinTools", { builtinTools: 1 }, ["anthropic"]],
  ["outputSchema", { tools: [], outputSchema: { type: "object", properties: {} } }, FORMATS],
];
const REMINDER = "A reminder of this moment.";
const OPENINGS = [',{"role":"user"', ',{"type":"message"'];
const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/** What a request repeats of the one before it: all up to the end of the history, without the mark that moves. */
function stable(raw: Buffer): string {
  const text = raw.toString();
  const mark = text.lastIndexOf(MARK);
  if (mark > text.indexOf('"messages":[')) return text.slice(0, mark - 1);
  const reminder = text.indexOf(REMINDER);
  if (reminder < 0) return text.slice(0, text.lastIndexOf("]}"));
  return text.slice(0, Math.max(...OPENINGS.map((opening) => text.lastIndexOf(opening, reminder))));
}

describe.each(FORMATS)("the prefix of requests in the format %s", (format) => {
  it("is the same bytes from turn to turn, for 50 turns", async () => {
    const server = await loopback(({ index }) =>
      index % 5 === 4
        ? { text: `Answer ${index}` }
        : { thinking: `Thought ${index}`, toolCalls: [{ name: "Read", input: { path: `${index}` } }] },
    );
    const model = await modelAt(server, NAMES[format]);
    const thinking = { type: "enabled", budgetTokens: 2000 } as const;
    const messages: Message[] = [user("Begin")];
    for (let turn = 0; turn < 50; turn++) {
      const tail = turn % 7 === 3 ? [REMINDER] : [];
      const { message } = await ask(model, request(messages, { ...prefix, thinking, tail }));
      messages.push(message);
      const asks = message.parts.some((part) => part.type === "toolCall");
      messages.push(asks ? results(message, `Result ${turn}`) : user(`Go on ${turn}`));
    }
    expect(server.requests.filter((asked) => asked.refused !== undefined)).toEqual([]);
    expect(server.requests.length).toBe(50);
    for (let turn = 1; turn < 50; turn++) {
      const before = stable(server.requests[turn - 1]?.raw ?? Buffer.of());
      const now = stable(server.requests[turn]?.raw ?? Buffer.of());
      expect(now.length).toBeGreaterThan(before.length);
      expect(hash(now.slice(0, before.length))).toBe(hash(before));
    }
  });

  it("is encoded once: a message that was sent is never read again", async () => {
    const server = await loopback(["a", "b"]);
    const model = await modelAt(server, NAMES[format]);
    const parts = [{ type: "text" as const, text: "as it was" }];
    const first = { role: "user", parts } as const;
    await ask(model, request([first]));
    parts[0] = { type: "text", text: "changed" };
    await ask(model, request([first, user("more")]));
    expect(server.requests[1]?.raw.toString()).toContain("as it was");
  });

  it("changes with the settings of a request", async () => {
    const server = await loopback(["a", "b", "c"]);
    const model = await modelAt(server, NAMES[format]);
    const messages = [user("x")];
    await ask(model, request(messages, prefix));
    await ask(model, request(messages, { ...prefix, maxOutputTokens: 77 }));
    await ask(model, request(messages, { ...prefix, system: ["Other."] }));
    const sent = server.requests.map((asked) => asked.raw.toString());
    expect(sent.map((text) => /[_a-z]*":77\b/.test(text))).toEqual([false, true, false]);
    expect(sent.map((text) => text.includes("Other."))).toEqual([false, false, true]);
  });

  it.each(SETTINGS.filter(([, , formats]) => formats.includes(format)))(
    "is made anew for another %s, on one model and one list of tools",
    async (_, more) => {
      const server = await loopback(["a", "b", "c", "d"]);
      const model = await modelAt(server, THINKERS[format]);
      const messages = [user("x")];
      const usual = { ...prefix, tools: more.tools ?? tools };
      await ask(model, request(messages, usual));
      await ask(model, request(messages, { ...usual, ...more }));
      await ask(model, request(messages, usual));
      // What a model sends that has nothing kept.
      await ask(await modelAt(server, THINKERS[format]), request(messages, { ...usual, ...more }));
      const [before, after, again, fresh] = server.requests.map((asked) => asked.raw.toString());
      expect(after).toBe(fresh);
      expect(after).not.toBe(before);
      expect(again).toBe(before);
    },
  );
});

describe("the marks of the Messages API", () => {
  it("stand behind the last built-in tool, on the last system block and the last block of the history", async () => {
    const server = await loopback([{ toolCalls: [{ name: "Read" }, { name: "Read" }] }, "ok"]);
    const model = await modelAt(server, NAMES.anthropic);
    const { message } = await ask(model, request([user("a", "b")], { ...prefix, tail: ["Now."] }));
    await ask(model, request([user("a", "b"), message, results(message, "r")], prefix));
    const [one, two] = server.requests.map((asked) => asked.body);
    const marked = (blocks: readonly { cache_control?: object }[]): boolean[] =>
      blocks.map((block) => block.cache_control !== undefined);
    expect(marked(one.tools)).toEqual([false, true, false]);
    expect(marked(one.system)).toEqual([false, true]);
    expect(one.messages).toHaveLength(1);
    expect(marked(one.messages[0].content)).toEqual([false, true, false]);
    expect(one.messages[0].content[2]).toEqual({ type: "text", text: "Now." });
    expect(two.messages.map((item: { content: [] }) => marked(item.content))).toEqual([
      [false, false],
      [false, false],
      [false, true],
    ]);
  });

  it("stand on no block of white space, which is refused", async () => {
    const server = await loopback(["ok", "ok"]);
    const model = await modelAt(server, NAMES.anthropic);
    await ask(model, request([user("a")], { system: [" ", "Be brief.", "\n"] }));
    await ask(model, request([user("a")], { system: [" "] }));
    const block = { type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } };
    expect(server.requests.map(({ body }) => body.system)).toEqual([[block], undefined]);
  });

  it("are left out where there is nothing to mark", async () => {
    const server = await loopback(["ok"]);
    const model = await modelAt(server, NAMES.anthropic);
    await ask(model, request([user("a")], { system: [], tools: [TOOL], builtinTools: 0 }));
    const body = server.requests[0]?.body;
    expect(body.system).toBeUndefined();
    expect(body.tools[0].cache_control).toBeUndefined();
  });
});
