import { describe, expect, it } from "vitest";
import { request, user } from "../model/wire/test-kit.ts";
import { fromAiSdk } from "./index.ts";
import { handMade, outcome } from "./test-kit.ts";

const END = {
  type: "finish",
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
  finishReason: { unified: "tool-calls", raw: "tool_calls" },
};
const NAME = "ai-sdk:made.by-hand/m";

/** What two answers of one model come to, and what was told on the way. */
async function twice(...parts: readonly object[]) {
  const lines: string[] = [];
  const model = fromAiSdk(handMade("v3", [...parts, END]), { warn: (line) => lines.push(line) });
  const first = await outcome(model, request([user("Hi")]));
  const second = await outcome(model, request([user("Hi")]));
  expect(second).toEqual(first);
  expect(first.error).toBeUndefined();
  return { lines, kinds: first.parts.map((part) => part.type), parts: first.parts };
}

describe("a model of the AI SDK tells", () => {
  it("each warning of its package once", async () => {
    const topK = { type: "unsupported-setting", setting: "topK" };
    const tool = { type: "unsupported", feature: "tool x", details: "it has none." };
    const { lines } = await twice({ type: "stream-start", warnings: [topK, topK, tool, { type: "other" }] });
    expect(lines).toEqual([
      `${NAME}: The provider's package says: topK.`,
      `${NAME}: The provider's package says: tool x. it has none.`,
      `${NAME}: The provider's package says: other.`,
    ]);
  });

  it("of a file in an answer, which is left out", async () => {
    const text = { type: "text-delta", id: "a", delta: "Here." };
    const file = { type: "file", mediaType: "image/png", data: "AAAA" };
    const { lines, kinds } = await twice(text, file, file);
    expect(lines).toEqual([`${NAME}: A file in the answer was left out.`]);
    expect(kinds).toEqual(["text", "usage", "finish"]);
  });

  it("of tools that the provider runs itself, whose calls are left out", async () => {
    const { lines, parts } = await twice(
      { type: "tool-input-start", id: "s1", toolName: "search", providerExecuted: true },
      { type: "tool-input-delta", id: "s1", delta: "{}" },
      { type: "tool-call", toolCallId: "s1", toolName: "search", input: "{}" },
      { type: "tool-result", toolCallId: "s1", toolName: "search", result: {} },
      { type: "tool-call", toolCallId: "s2", toolName: "run", input: "{}", providerExecuted: true },
      { type: "tool-call", toolCallId: "c1", toolName: "Read", input: '{"a":1}' },
    );
    expect(lines).toEqual([
      `${NAME}: A call of search, which the provider runs itself, is left out.`,
      `${NAME}: A call of run, which the provider runs itself, is left out.`,
    ]);
    expect(parts.slice(0, -2)).toEqual([
      { type: "toolStart", id: "c1", name: "Read" },
      { type: "toolEnd", id: "c1", inputText: '{"a":1}' },
    ]);
  });
});

describe("the limits of a model of the AI SDK", () => {
  it("are shared by those who use one object, and by nobody else", () => {
    const [one, two] = [handMade("v3", []), handMade("v3", [])];
    const keys = [one, one, two].map((object) => fromAiSdk(object).limitKey);
    expect(keys[0]).toMatch(/^ai-sdk:made\.by-hand#\d+$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).toMatch(/^ai-sdk:made\.by-hand#\d+$/);
    expect(keys[2]).not.toBe(keys[0]);
  });
});

describe("what a model of the AI SDK throws", () => {
  const thrown = async (error: unknown) => {
    const object = { ...handMade("v3", []), doStream: () => Promise.reject(error) };
    return (await outcome(fromAiSdk(object), request([user("Hi")]))).error;
  };

  it.each([new RangeError("no"), new ReferenceError("no"), new SyntaxError("no"), new TypeError("no")])(
    "stays what it is where the program is at fault: %s",
    async (error) => {
      expect(await thrown(error)).toBe(error);
    },
  );

  it.each([new Error("lost"), new TypeError("fetch failed", { cause: { code: "ECONNRESET" } })])(
    "is a lost connection otherwise: %s",
    async (error) => {
      const failure = await thrown(error);
      expect(failure).toMatchObject({ code: "model_failed", kind: "network", retryable: true, cause: error });
      expect(failure).toMatchObject({ subject: NAME, message: expect.stringContaining(error.message) });
    },
  );
});
