import { describe, expect, it } from "vitest";
import { createAccumulator } from "../../accumulator.ts";
import type { ModelPart } from "../../port.ts";
import type { Endpoint } from "../shared/endpoint.ts";
import { createChatDecoder } from "./decoder.ts";
import { joinDetails } from "./reasoning-details.ts";

const endpoint: Endpoint = {
  id: "x/y",
  model: "y",
  provider: "x",
  url: "http://127.0.0.1/v1/chat/completions",
  auth: {},
  keyName: "KEY",
  limitKey: "k",
  firstByteMs: 1,
  stallMs: 1,
  dialect: { openai: false, pdf: false, strictTools: false },
};

function read(...chunks: readonly (object | string)[]) {
  let made = 0;
  const newId = (): string => {
    made += 1;
    return `made_${made}`;
  };
  const decoder = createChatDecoder(endpoint, newId, (id) => id === "taken");
  const parts: ModelPart[] = [];
  let done = false;
  for (const chunk of chunks)
    done = decoder.event(typeof chunk === "string" ? chunk : JSON.stringify(chunk), parts);
  if (!done) decoder.end(parts);
  const accumulator = createAccumulator("m");
  for (const part of parts) accumulator.push(part);
  const answer = accumulator.finish();
  if (!answer.ok) throw new Error(answer.message);
  return answer.completion;
}

const delta = (value: object, finish_reason: string | null = null) => ({
  choices: [{ delta: value, finish_reason }],
});
const call = (fields: object) => delta({ tool_calls: [fields] });
const end = (reason = "tool_calls") => delta({}, reason);
const fn = (name?: string, args?: unknown) => ({
  function: { ...(name && { name }), ...(args !== undefined && { arguments: args }) },
});

describe("chunks of servers that differ", () => {
  it.each<[string, object[], object[]]>([
    [
      "whole calls, all of them number 0",
      [call({ index: 0, id: "a", ...fn("A", "{}") }), call({ index: 0, id: "b", ...fn("B", '{"x":1}') })],
      [
        { id: "a", input: {} },
        { id: "b", input: { x: 1 } },
      ],
    ],
    [
      "an id that an earlier answer had",
      [
        call({ index: 0, id: "taken", ...fn("A", "{") }),
        call({ index: 0, id: "taken", ...fn(undefined, "}") }),
        call({ index: 1, id: "b", ...fn("B", "{}") }),
      ],
      [
        { id: "made_1", input: {} },
        { id: "b", input: {} },
      ],
    ],
    [
      "no index",
      [
        call({ id: "a", ...fn("A", "{") }),
        call({ id: "a", ...fn(undefined, "}") }),
        call({ id: "b", ...fn("B") }),
      ],
      [{ id: "a" }, { id: "b" }],
    ],
    ["neither index nor id", [call(fn("A", "{")), call(fn(undefined, "}"))], [{ id: "made_1", name: "A" }]],
    [
      "pieces that alternate",
      [
        call({ index: 0, id: "a", ...fn("A", '{"n"') }),
        call({ index: 1, id: "b", ...fn("B", "{") }),
        call({ index: 0, ...fn(undefined, ":1}") }),
        call({ index: 1, ...fn(undefined, "}") }),
      ],
      [
        { id: "a", input: { n: 1 } },
        { id: "b", input: {} },
      ],
    ],
    [
      "input before the name",
      [call({ index: 0, id: "a", ...fn(undefined, '{"n":') }), call({ index: 0, ...fn("A", "2}") })],
      [{ name: "A", input: { n: 2 } }],
    ],
    ["input as an object", [call({ index: 0, id: "a", ...fn("A", { n: [3] }) })], [{ input: { n: [3] } }]],
    [
      "a name that is sent again",
      [call({ index: 0, id: "a", ...fn("A", "{") }), call({ index: 0, id: "a", ...fn("A", "}") })],
      [{ name: "A", input: {} }],
    ],
  ])("%s", (_, chunks, calls) => {
    const { message, stopReason } = read(...chunks, end("stop"));
    expect(stopReason).toBe("tool_use");
    expect(message.parts).toHaveLength(calls.length);
    expect(message.parts).toMatchObject(calls);
  });

  it("reads reasoning in either field, once where both are sent", () => {
    for (const field of ["reasoning", "reasoning_content"]) {
      const { message } = read(
        delta({ [field]: "a" }),
        delta({ [field]: "b", content: "" }),
        delta({ content: "c" }),
        end("stop"),
      );
      expect(message.parts).toEqual([
        { type: "reasoning", text: "ab", meta: { x: { field } } },
        { type: "text", text: "c" },
      ]);
    }
    const both = read(delta({ reasoning: "a", reasoning_content: "a" }), end("stop"));
    expect(both.message.parts).toMatchObject([{ text: "a" }]);
  });

  it("keeps details that come behind the text with the reasoning of the answer", () => {
    const detail = { type: "reasoning.encrypted", data: "d", index: 0 };
    const { message } = read(delta({ content: "x" }), delta({ reasoning_details: [detail] }), end("stop"));
    expect(message.parts).toEqual([
      { type: "text", text: "x" },
      { type: "reasoning", text: "", meta: { x: { field: "reasoning", details: [detail] } } },
    ]);
  });

  it("reads content that comes as a list of texts and thoughts", () => {
    const thinking = [{ type: "text", text: "Hm." }];
    const list = (...content: object[]) => delta({ content });
    const { message } = read(
      list({ type: "thinking", thinking }),
      list({ type: "text", text: "Hel" }, { type: "reference", reference_ids: [1] }),
      list({ type: "text", text: "lo" }),
      end("stop"),
    );
    expect(message.parts).toMatchObject([
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Hello" },
    ]);
  });

  it("takes counts in the last chunk or in one of their own, without what was cached", () => {
    const usage = { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 60 } };
    const counted = { inputTokens: 40, outputTokens: 5, cacheReadTokens: 60, cacheWriteTokens: 0 };
    expect(read({ ...end("stop"), usage }).usage).toEqual(counted);
    expect(read(end("stop"), { choices: [], usage }, "[DONE]").usage).toEqual(counted);
  });

  it("tells a refusal, and a reason that nobody knows", () => {
    expect(read(delta({ refusal: "No." }), end("stop"))).toMatchObject({
      stopReason: "refusal",
      message: { parts: [{ text: "No." }] },
    });
    expect(read(delta({ content: "x" }), end("content_filter")).stopReason).toBe("refusal");
    expect(read(delta({ content: "x" }), end("eos")).stopReason).toBe("other");
  });

  it.each([
    { error: { message: "away", type: "server_error" } },
    { error: "away" },
    { object: "error", message: "away", code: 500 },
    { choices: [{ delta: {}, finish_reason: "error", error: { message: "away", code: 502 } }] },
  ])("throws for %j", (chunk) => {
    expect(() => read(chunk)).toThrow(/away/);
  });

  it("is cut off without a reason", () => {
    expect(() => read(delta({ content: "x" }))).toThrow(/without an end mark/);
    expect(() => read(delta({ content: "x" }), "[DONE]")).toThrow(/without an end mark/);
  });
});

describe("joinDetails", () => {
  it("joins texts of one index, keeps what is whole", () => {
    const text = (index: number, value: string) => ({
      type: "reasoning.text",
      text: value,
      index,
      signature: null,
    });
    const sealed = { type: "reasoning.encrypted", data: "d", index: 0 };
    expect(
      joinDetails([
        text(0, "a"),
        text(0, "b"),
        { type: "reasoning.text", index: 0, signature: "s" },
        text(1, "c"),
        sealed,
        sealed,
        3,
      ]),
    ).toEqual([{ ...text(0, "ab"), signature: "s" }, text(1, "c"), sealed, sealed]);
  });
});
