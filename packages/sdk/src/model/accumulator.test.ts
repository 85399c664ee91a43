import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/setup/runs.ts";
import type { AssistantPart, JsonValue } from "../protocol/index.ts";
import { createAccumulator } from "./accumulator.ts";
import type { ModelPart } from "./port.ts";

const END: ModelPart = { type: "finish", stopReason: "end_turn" };

function accumulate(...parts: ModelPart[]) {
  const accumulator = createAccumulator("msg_1");
  for (const part of parts) accumulator.push(part);
  return accumulator.finish();
}

function partsOf(...parts: ModelPart[]): readonly AssistantPart[] {
  const answer = accumulate(...parts, END);
  if (!answer.ok) throw new Error(answer.message);
  return answer.completion.message.parts;
}

function failureOf(...parts: ModelPart[]): unknown {
  const answer = accumulate(...parts);
  return answer.ok ? "no failure" : { retryable: answer.retryable, message: answer.message };
}

const text = (delta: string): ModelPart => ({ type: "text", delta });
const think = (delta: string): ModelPart => ({ type: "reasoning", delta });
const start = (id: string, name = "Read"): ModelPart => ({ type: "toolStart", id, name });
const more = (id: string, delta: string): ModelPart => ({ type: "toolDelta", id, delta });
const end = (id: string, inputText?: string): ModelPart => ({
  type: "toolEnd",
  id,
  ...(inputText === undefined ? {} : { inputText }),
});

describe("createAccumulator", () => {
  it("joins deltas into blocks, in the order in which these began", () => {
    const answer = accumulate(
      think("I "),
      think("think."),
      { type: "meta", meta: { anthropic: { signature: "s1" } } },
      text("Hel"),
      text("lo."),
      start("a"),
      start("b", "Bash"),
      more("b", '{"command":'),
      more("a", '{"file_path":"x"}'),
      more("b", '"ls"}'),
      { type: "toolEnd", id: "b", meta: { p: 1 } },
      text("And on."),
      end("a"),
      { type: "usage", usage: { inputTokens: 7, outputTokens: 1 } },
      { type: "finish", stopReason: "tool_use" },
      { type: "usage", usage: { outputTokens: 9, cacheReadTokens: Number.NaN } },
    );
    expect(answer).toEqual({
      ok: true,
      completion: {
        message: {
          role: "assistant",
          id: "msg_1",
          parts: [
            { type: "reasoning", text: "I think.", meta: { anthropic: { signature: "s1" } } },
            { type: "text", text: "Hello." },
            { type: "toolCall", id: "a", name: "Read", input: { file_path: "x" } },
            { type: "toolCall", id: "b", name: "Bash", input: { command: "ls" }, meta: { p: 1 } },
            { type: "text", text: "And on." },
          ],
        },
        usage: { inputTokens: 7, outputTokens: 9, cacheReadTokens: 0, cacheWriteTokens: 0 },
        stopReason: "tool_use",
      },
    });
  });

  it("begins a block of its own where the stream says so, and leaves empty ones out", () => {
    const block = { type: "block", kind: "reasoning" } as const;
    expect(
      partsOf(think("a"), block, think("b"), block, { type: "meta", meta: { p: "hidden" } }, block, text("")),
    ).toEqual([
      { type: "reasoning", text: "a" },
      { type: "reasoning", text: "b" },
      { type: "reasoning", text: "", meta: { p: "hidden" } },
    ]);
  });

  it("keeps meta that comes before any block for the message", () => {
    const answer = accumulate({ type: "meta", meta: { p: "m" } }, text("x"), END);
    expect(answer).toMatchObject({ completion: { message: { meta: { p: "m" }, parts: [{ text: "x" }] } } });
  });

  it.each([
    ["", {}],
    [" \n", {}],
    ['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ['{"__proto__":{"x":1}}', JSON.parse('{"__proto__":{"x":1}}')],
  ])("reads the input %j", (input, expected) => {
    const call = { type: "toolCall", id: "a", name: "Read", input: expected };
    expect(partsOf(start("a"), more("a", input), end("a"))).toEqual([call]);
    expect(partsOf(start("a"), end("a", input))).toEqual([call]);
    expect(partsOf(start("a"), more("a", input))).toEqual([call]);
  });

  it.each(['{"a":', "[1]", "null", "3", '"x"', "{'a':1}", "{}{}"])("keeps the input %j as text", (input) => {
    const call = { type: "toolCall", id: "a", name: "Read", input: {}, invalidInput: input };
    expect(partsOf(start("a"), more("a", input), end("a"))).toEqual([call]);
    expect(partsOf(start("a"), end("a", input))).toEqual([call]);
  });

  it("refuses input that is nested deeper than a log can hold", () => {
    const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    const input = nested(50_000);
    const call = { type: "toolCall", id: "a", name: "Read", input: {}, invalidInput: input };
    expect(partsOf(start("a"), more("a", input), end("a"))).toEqual([call]);
    const fine = partsOf(start("a"), more("a", nested(400)), end("a"));
    expect(JSON.stringify(fine)).toContain(nested(400));
  });

  it.each<[string, RegExp, ModelPart[]]>([
    ["no end", /ended without an end mark/, [text("Hel")]],
    ["nothing at all", /ended without an end mark/, []],
    ["two calls of one id", /two tool calls with the id "a"/, [start("a"), end("a"), start("a"), END]],
    ["a delta for nobody", /call "z" that is not open/, [more("z", "{}"), END]],
    [
      "a delta behind the end of its call",
      /"a" that is not open/,
      [start("a"), end("a"), more("a", "x"), END],
    ],
    ["an end for nobody", /"constructor" that is not open/, [end("constructor"), END]],
    ["parts behind the end", /goes on behind its end/, [END, text("x")]],
    ["two ends", /goes on behind its end/, [END, END]],
  ])("fails for %s, and may be asked again", (_, message, parts) => {
    expect(failureOf(...parts)).toEqual({ retryable: true, message: expect.stringMatching(message) });
  });

  it.each([
    ["end_turn", "tool_use"],
    ["other", "tool_use"],
    ["max_tokens", "max_tokens"],
  ] as const)("takes %s beside a tool call as %s", (stopReason, expected) => {
    const answer = accumulate(start("a"), end("a"), { type: "finish", stopReason });
    expect(answer).toMatchObject({ completion: { stopReason: expected } });
    const plain = accumulate(text("a"), { type: "finish", stopReason });
    expect(plain).toMatchObject({ completion: { stopReason } });
  });

  it.each(["max_tokens", "context_overflow"] as const)(
    "takes a call that %s cut off before its input for broken, not for one without arguments",
    (stopReason) => {
      const input = (...parts: ModelPart[]) => {
        const answer = accumulate(...parts, { type: "finish", stopReason });
        if (!answer.ok) throw new Error(answer.message);
        return answer.completion.message.parts;
      };
      expect(input(start("a"), end("a"), start("b"), end("b"))).toMatchObject([
        { id: "a", input: {} },
        { id: "b", input: {}, invalidInput: "" },
      ]);
      expect(input(start("a"), end("a"), text("and"))[0]).not.toHaveProperty("invalidInput");
      expect(input(start("a"), more("a", "{}"), end("a"))[0]).not.toHaveProperty("invalidInput");
    },
  );

  it("gives the text and the finished reasoning of an answer that was cut short", () => {
    const accumulator = createAccumulator("msg_1");
    const parts = [think("done"), text("Hel"), start("a"), more("a", "{"), text("lo"), think("unfin")];
    for (const part of parts) accumulator.push(part);
    expect(accumulator.cutShort().message.parts).toEqual([
      { type: "reasoning", text: "done" },
      { type: "text", text: "Hel" },
      { type: "text", text: "lo" },
    ]);
  });

  it("joins any cut of an input to the same call", () => {
    const cuts = fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.nat(200)));
    fc.assert(
      fc.property(cuts, ([value, places]) => {
        const input = value as { [key: string]: JsonValue };
        const whole = JSON.stringify(input);
        const at = [0, ...places.filter((n) => n < whole.length).sort((a, b) => a - b), whole.length];
        const deltas = at.slice(1).map((to, i) => more("a", whole.slice(at[i], to)));
        const [call] = partsOf(start("a"), ...deltas, end("a"));
        expect(JSON.stringify(call)).toBe(
          JSON.stringify({ type: "toolCall", id: "a", name: "Read", input: JSON.parse(whole) }),
        );
      }),
      { numRuns: runs },
    );
  });
});
