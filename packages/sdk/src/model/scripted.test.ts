import { describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import type { Message } from "../protocol/index.ts";
import { fakeClock } from "../testing/index.ts";
import { createAccumulator } from "./accumulator.ts";
import type { LanguageModel, ModelPart, ModelRequest } from "./port.ts";
import { scriptedModel } from "./scripted.ts";

const user = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });

function request(...messages: Message[]): ModelRequest {
  return { system: [], tools: [], builtinTools: 0, messages, tail: [] };
}

async function partsOf(model: LanguageModel, asked = request(user("hi")), signal?: AbortSignal) {
  const parts: ModelPart[] = [];
  const stream = model.stream(asked, { signal: signal ?? new AbortController().signal });
  for await (const part of stream) parts.push(part);
  return parts;
}

async function ask(model: LanguageModel, asked = request(user("hi"))) {
  const accumulator = createAccumulator("m");
  for (const part of await partsOf(model, asked)) accumulator.push(part);
  const answer = accumulator.finish();
  if (!answer.ok) throw new Error(answer.message);
  return answer.completion;
}

describe("scriptedModel", () => {
  it("streams each turn in several deltas that join to what the script says", async () => {
    const said = "Let me  look.\n\nOne  moment 🏰 ";
    const model = scriptedModel([
      {
        thinking: "Hm, a file.",
        text: said,
        toolCalls: [{ name: "Read", input: { file_path: "a".repeat(100) } }],
      },
      "Done.",
    ]);
    const parts = await partsOf(model);
    expect(parts.filter(({ type }) => type === "text").length).toBeGreaterThan(3);
    expect(parts.filter(({ type }) => type === "toolDelta").length).toBeGreaterThan(1);
    const accumulator = createAccumulator("m");
    for (const part of parts) accumulator.push(part);
    expect(accumulator.finish()).toMatchObject({
      completion: {
        stopReason: "tool_use",
        message: {
          parts: [
            { type: "reasoning", text: "Hm, a file." },
            { type: "text", text: said },
            { type: "toolCall", id: "call_1_1", name: "Read", input: { file_path: "a".repeat(100) } },
          ],
        },
      },
    });
    expect(await ask(model)).toMatchObject({
      stopReason: "end_turn",
      message: { parts: [{ text: "Done." }] },
    });
  });

  it("takes ids, usage, stop reasons and broken input as the script gives them", async () => {
    const model = scriptedModel([
      {
        toolCalls: [{ name: "Read", id: "mine", inputText: "{oops" }, { name: "LS" }],
        usage: { inputTokens: 1000, cacheReadTokens: 5 },
        stopReason: "max_tokens",
      },
    ]);
    expect(await ask(model)).toMatchObject({
      stopReason: "max_tokens",
      usage: { inputTokens: 1000, cacheReadTokens: 5, outputTokens: 2 },
      message: {
        parts: [
          { id: "mine", input: {}, invalidInput: "{oops" },
          { id: "call_1_2", input: {} },
        ],
      },
    });
  });

  it("makes turns of functions of the request, and records requests as they were", async () => {
    const messages = [user("one")];
    const model = scriptedModel([
      async (asked) => `I have ${asked.messages.length}.`,
      (asked) => ({ text: asked.system.join() }),
    ]);
    expect((await ask(model, request(...messages))).message.parts).toMatchObject([{ text: "I have 1." }]);
    const live = { ...request(), messages, system: ["Be kind."] };
    await ask(model, live);
    messages.push(user("two"));
    expect(model.requests.map((asked) => asked.messages.length)).toEqual([1, 1]);
    expect(model.requests[1]?.system).toEqual(["Be kind."]);
  });

  it("goes by calls, or by the answers that the history holds", async () => {
    const turns = ["one", { toolCalls: [{ name: "T" }] }, "three"];
    const answer: Message = { role: "assistant", id: "m", parts: [{ type: "text", text: "x" }] };
    const asked = request(user("a"), answer, user("b"));
    const said = async (model: LanguageModel) => (await ask(model, asked)).message.parts;
    const byCalls = scriptedModel(turns);
    expect(await said(byCalls)).toMatchObject([{ text: "one" }]);
    expect(await said(byCalls)).toMatchObject([{ id: "call_2_1" }]);
    const byHistory = scriptedModel(turns, { position: "history" });
    expect(await said(byHistory)).toMatchObject([{ id: "call_2_1" }]);
    expect(await said(byHistory)).toMatchObject([{ id: "call_2_1" }]);
  });

  it("says how long the script was and what was asked when it is exhausted", async () => {
    const model = scriptedModel(["one"], { id: "short" });
    await ask(model);
    const tool: Message = {
      role: "tool",
      parts: [
        {
          type: "toolResult",
          callId: "a",
          name: "Bash",
          isError: true,
          content: [{ type: "text", text: "no\n such" }],
        },
      ],
    };
    await expect(ask(model, request(user("go"), tool))).rejects.toMatchObject({
      code: "script_exhausted",
      message: expect.stringMatching(/"short" has 1 turn, .*tool message: error of Bash: no such$/),
    });
    await expect(ask(scriptedModel([]), request(user("x".repeat(999))))).rejects.toMatchObject({
      code: "script_exhausted",
      message: expect.stringMatching(/has 0 turns, .*x{200}…$/),
    });
  });

  it("fails as the script says, behind what it said before", async () => {
    const [broken, failing] = [
      scriptedModel([{ text: "Hel", breakOff: true }]),
      scriptedModel([{ text: "Hel", error: "529" }]),
    ];
    expect(await partsOf(broken)).toEqual([{ type: "text", delta: "Hel" }]);
    const seen: ModelPart[] = [];
    const read = async () => {
      const stream = failing.stream(request(), { signal: new AbortController().signal });
      for await (const part of stream) seen.push(part);
    };
    await expect(read()).rejects.toMatchObject({ code: "model_failed", message: "529" });
    expect(seen).toEqual([{ type: "text", delta: "Hel" }]);
  });

  it("waits for delayMs", async () => {
    const clock = fakeClock();
    const model = scriptedModel([{ text: "late", delayMs: 500 }], { clock });
    let done = false;
    const answer = ask(model).then(() => {
      done = true;
    });
    await settle();
    clock.advance(499);
    await settle();
    expect([done, clock.pending]).toEqual([false, 1]);
    clock.advance(1);
    await answer;
    expect(done).toBe(true);
  });

  it("stops at once when its signal fires: before, while it waits, between deltas", async () => {
    const aborted = { code: "aborted", name: "AbortError" };
    await expect(partsOf(scriptedModel(["x"]), request(), AbortSignal.abort())).rejects.toMatchObject(
      aborted,
    );

    const clock = fakeClock();
    const waiting = new AbortController();
    const late = partsOf(scriptedModel([{ text: "x", delayMs: 500 }], { clock }), request(), waiting.signal);
    await settle();
    waiting.abort();
    await expect(late).rejects.toMatchObject(aborted);
    expect(clock.pending).toBe(0);

    const reading = new AbortController();
    let seen = 0;
    const read = async () => {
      const stream = scriptedModel(["a b c d"]).stream(request(), { signal: reading.signal });
      for await (const _ of stream) if (++seen === 2) reading.abort();
    };
    await expect(read()).rejects.toMatchObject(aborted);
    expect(seen).toBe(2);
  });

  it.each<[unknown, RegExp]>([
    [{}, /a script is a list of turns, this is an object/],
    [[3], /turn 1: a turn is an object or a text, this is number 3/],
    [["ok", null], /turn 2: .*this is null/],
    [[{}], /turn 1: it says nothing/],
    [[{ txt: "x" }], /turn 1: "txt" is no key here.*text, thinking, toolCalls/],
    [[{ text: 3 }], /turn 1: "text" must be a text, this is number 3/],
    [[{ text: "x", stopReason: "stop" }], /"stopReason" must be one of end_turn, .*string "stop"/],
    [[{ text: "x", delayMs: -1 }], /"delayMs" must be a number of milliseconds/],
    [[{ text: "x", usage: { tokens: 3 } }], /"usage" must be an object of the numbers inputTokens/],
    [[{ text: "x", breakOff: 1 }], /"breakOff" must be true or false/],
    [[{ toolCalls: {} }], /"toolCalls" must be a list, this is an object/],
    [[{ toolCalls: [] }, { toolCalls: ["Read"] }], /turn 2, tool call 1: it must be an object/],
    [[{ toolCalls: [{ name: "Read", args: {} }] }], /tool call 1: "args" is no key here.*name, input/],
    [[{ toolCalls: [{ input: {} }] }], /tool call 1: "name" is missing/],
    [[{ toolCalls: [{ name: " " }] }], /tool call 1: "name" must be the name of a tool/],
    [
      [{ toolCalls: [{ name: "Read", input: [] }] }],
      /tool call 1: "input" must be an object, this is a list/,
    ],
    [[{ toolCalls: [{ name: "Read", id: "" }] }], /tool call 1: "id" must be a text/],
    [[{ constructor: 1 }], /"constructor" is no key here/],
  ])("refuses the script %j", (script, message) => {
    expect(() => scriptedModel(script as never, { id: "s" })).toThrow(
      expect.objectContaining({ code: "invalid_model", message: expect.stringMatching(message) }),
    );
  });

  it("refuses what a function of the script gives", async () => {
    const model = scriptedModel([() => ({ says: "x" }) as never]);
    await expect(ask(model)).rejects.toMatchObject({
      code: "invalid_model",
      message: expect.stringContaining('turn 1: "says" is no key here'),
    });
  });
});

function settle(): Promise<void> {
  return new Promise((resolve) => nodePlatform().clock.timer(0, resolve));
}
