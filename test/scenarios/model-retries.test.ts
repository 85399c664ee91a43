import { createHost, type Options, type SDKMessage, tool } from "@castellan/sdk";
import { assertComplete, fakeClock, type ScriptStep, scriptedModel } from "@castellan/sdk/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finishedTexts, screenOf } from "../kit/consumer.ts";
import { hurriedClock } from "../kit/hurried-clock.ts";
import { scratch } from "../kit/session.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);
const folder = scratch;

async function play(steps: readonly ScriptStep[], options: Options = {}) {
  const model = scriptedModel(steps);
  const { clock, waits } = hurriedClock();
  const host = createHost({ platform: { clock, random: () => 0 } });
  const messages: SDKMessage[] = [];
  const full = { model, cwd: folder(), persistSession: false, includePartialMessages: true, ...options };
  for await (const message of host.query({ prompt: "go", options: full })) messages.push(message);
  await host.close();
  assertComplete(messages);
  const results = messages.filter((message) => message.type === "result");
  expect(results).toHaveLength(1);
  const [result] = results;
  if (result === undefined) throw new Error("No result.");
  const retries = messages.filter((message) => message.type === "system" && message.subtype === "api_retry");
  return { messages, result, model, waits, retries };
}

const lost = (text?: string): ScriptStep => ({
  ...(text === undefined ? {} : { text }),
  error: "connection lost",
  failure: { kind: "network" },
});
const answer = "All is well.";

describe("a failed try", () => {
  const partly = { text: "All is" };
  const call = { toolCalls: [{ name: "Read", input: { file_path: "/x" } }] };
  it.each<[string, ScriptStep, string]>([
    ["before its first word", lost(), "connection lost"],
    ["in the middle of its text", lost("All is"), "connection lost"],
    ["in the middle of its thoughts", { thinking: "Hm", error: "gone", failure: {} }, "gone"],
    ["behind a tool call", { ...call, error: "gone", failure: {} }, "gone"],
    ["by an end without an end mark", { ...partly, breakOff: true }, "without an end mark"],
    ["by an end behind a tool call", { ...call, breakOff: true }, "without an end mark"],
    ["by 429", { error: "slow down", failure: { status: 429 } }, "slow down"],
    ["by 500", { error: "oops", failure: { status: 500 } }, "oops"],
    ["by 529", { error: "overloaded", failure: { status: 529 } }, "overloaded"],
    ["by an error event", { ...partly, error: "e", failure: { kind: "stream_error", retryable: true } }, "e"],
    ["by silence", { ...partly, error: "s", failure: { kind: "stalled", retryable: true } }, "s"],
    [
      "by two calls of one id",
      {
        toolCalls: [
          { name: "A", id: "x" },
          { name: "B", id: "x" },
        ],
      },
      "two tool calls",
    ],
  ])("%s is told, taken back and tried again", async (_name, fault, error) => {
    const { messages, result, model, retries } = await play([fault, answer]);
    expect(result).toMatchObject({ subtype: "success", result: answer, num_turns: 1 });
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.messages).toEqual(model.requests[0]?.messages);
    expect(retries).toEqual([
      expect.objectContaining({
        model: "scripted",
        attempt: 1,
        max_retries: 10,
        retry_delay_ms: 250,
        error: expect.stringContaining(error),
      }),
    ]);
    expect(finishedTexts(messages)).toEqual([answer]);
    expect(screenOf(messages).texts).toEqual([answer]);
  });

  it("is taken back before the retry is told, and only when something was shown", async () => {
    const { messages } = await play([lost("All is"), lost(), answer]);
    const kinds = messages.map((message) => (message.type === "system" ? message.subtype : message.type));
    expect(kinds.filter((kind) => kind !== "stream_event" && kind !== "notification")).toEqual([
      ...["init", "message_withdrawn", "api_retry", "api_retry", "assistant", "result"],
    ]);
  });

  it("says nothing of withdrawal to somebody who saw no deltas", async () => {
    const { messages, retries } = await play([lost("All is"), answer], { includePartialMessages: false });
    expect(JSON.stringify(messages)).not.toContain("message_withdrawn");
    expect(retries).toHaveLength(1);
  });

  it("tells the HTTP status, or null", async () => {
    const { retries } = await play([{ error: "x", failure: { status: 503 } }, lost(), answer]);
    expect(retries).toMatchObject([{ error_status: 503 }, { error_status: null }]);
  });

  it("waits as the provider asks", async () => {
    const { waits } = await play([{ error: "x", failure: { status: 429, retryAfterMs: 7_000 } }, answer]);
    expect(waits).toContain(7_000);
  });
});

describe("a model that stays away", () => {
  const gone = Array.from({ length: 30 }, () => lost("x"));

  it("is tried eleven times, ever more slowly, and the result says so", async () => {
    const { result, model, retries, messages } = await play(gone);
    expect(model.requests).toHaveLength(11);
    expect(retries.map((retry) => "retry_delay_ms" in retry && retry.retry_delay_ms)).toEqual([
      ...[250, 500, 1000, 2000, 4000, 8000, 16000, 16000, 16000, 16000],
    ]);
    expect(result).toMatchObject({
      subtype: "error_during_execution",
      terminal_reason: "model_error",
      errors: ["The model scripted failed: connection lost. It was tried 11 times."],
    });
    expect(screenOf(messages)).toEqual({ texts: [], withdrawn: 11 });
  });

  it("gives way to the fallback for the rest of the user turn", async () => {
    const echo = tool("echo", "Echoes.", { text: "string" }, ({ text }) => ({
      content: [{ type: "text", text }],
    }));
    const fallback = scriptedModel(
      [{ toolCalls: [{ name: "echo", input: { text: "a" } }] }, lost(), "done"],
      { id: "second" },
    );
    const { result, messages, retries } = await play(
      [{ thinking: "Hm", toolCalls: [{ name: "echo", input: { text: "0" } }] }, ...gone],
      { fallbackModel: fallback, tools: [echo], allowedTools: ["echo"] },
    );
    expect(result).toMatchObject({ subtype: "success", result: "done" });
    expect(retries).toHaveLength(12);
    expect(retries[10]).toMatchObject({ model: "scripted", fallback_model: "second", retry_delay_ms: 0 });
    expect(retries[11]).toMatchObject({ model: "second", attempt: 1 });
    // It starts from the last complete round: the round before is whole, nothing of the failed tries is there.
    expect(fallback.requests[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    const models = messages.flatMap((each) => (each.type === "assistant" ? [each.message.model] : []));
    expect(models).toEqual(["scripted", "second", "second"]);
    expect(Object.keys(result.modelUsage)).toEqual(["scripted", "second"]);
  });

  it("ends when the fallback stays away too", async () => {
    const fallback = scriptedModel(gone, { id: "second" });
    const { result, model } = await play(gone, { fallbackModel: fallback });
    expect([model.requests.length, fallback.requests.length]).toEqual([11, 11]);
    expect(result.errors?.[0]).toContain("The model second failed");
  });

  it("goes to the fallback at once when it wants more than ten minutes", async () => {
    const fallback = scriptedModel(["here"], { id: "second" });
    const { result, model } = await play(
      [{ error: "x", failure: { status: 429, retryAfterMs: 3_600_000 } }],
      {
        fallbackModel: fallback,
      },
    );
    expect(result.result).toBe("here");
    expect(model.requests).toHaveLength(1);
  });
});

describe("a fallback with the same key", () => {
  it("is asked at once when the provider wants more than ten minutes", async () => {
    const clock = fakeClock(1);
    const host = createHost({ platform: { clock } });
    const limited = (steps: readonly ScriptStep[], id: string) => ({
      ...scriptedModel(steps, { id }),
      limitKey: "one",
    });
    const refused: ScriptStep = { error: "x", failure: { status: 429, retryAfterMs: 3_600_000 } };
    const model = limited([refused], "first");
    const fallbackModel = limited(["here"], "second");
    const messages: SDKMessage[] = [];
    const options = { model, fallbackModel, cwd: folder(), persistSession: false };
    for await (const message of host.query({ prompt: "go", options })) messages.push(message);
    expect(messages.at(-1)).toMatchObject({ type: "result", subtype: "success", result: "here" });
    await host.close();
  });
});

describe("a model object that never says a word", () => {
  const finish = { type: "finish", usage: { inputTokens: 1, outputTokens: 1 }, finishReason: "stop" };
  const parts = [{ type: "text-start", id: "t" }, { type: "text-delta", id: "t", delta: answer }, finish];
  const silence = () => new Promise<never>(() => {});
  let asked = 0;

  it.each<[string, NonNullable<Options["model"]>]>([
    [
      "of the port",
      {
        ...{ id: "own", provider: "own" },
        async *stream() {
          asked += 1;
          if (asked === 1) await silence();
          yield { type: "text", delta: answer };
          yield { type: "finish", stopReason: "end_turn" };
        },
      },
    ],
    [
      "of the AI SDK",
      {
        ...{ specificationVersion: "v2", provider: "own", modelId: "m" },
        doStream: async () => {
          asked += 1;
          return { stream: asked === 1 ? new ReadableStream() : ReadableStream.from(parts) };
        },
      },
    ],
  ])("is asked again after a minute: %s", async (_, model) => {
    asked = 0;
    const clock = fakeClock(1);
    const host = createHost({ platform: { clock, random: () => 0 } });
    const messages: SDKMessage[] = [];
    const query = host.query({ prompt: "go", options: { model, cwd: folder(), persistSession: false } });
    const reading = (async () => {
      for await (const message of query) messages.push(message);
    })();
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
    };
    await until(() => asked === 1);
    clock.advance(60_000);
    await until(() => messages.some((each) => each.type === "system" && each.subtype === "api_retry"));
    await until(() => clock.pending > 0);
    clock.advance(250);
    await reading;
    expect(messages.at(-1)).toMatchObject({ type: "result", subtype: "success", result: answer });
    expect(messages).toContainEqual(
      expect.objectContaining({ subtype: "api_retry", error: expect.stringMatching(/stalled/) }),
    );
    expect(clock.pending).toBe(0);
    await host.close();
  });
});

describe("a failure that will not pass", () => {
  it.each<[string, ScriptStep, object]>([
    [
      "auth",
      { error: "The key is wrong.", failure: { kind: "auth", status: 401 } },
      { terminal_reason: "model_error", errors: ["The model scripted failed: The key is wrong."] },
    ],
    ["an error that does not say that it may pass", { error: "x" }, { terminal_reason: "model_error" }],
    ["a bad request", { error: "bad", failure: { status: 400 } }, { terminal_reason: "model_error" }],
    [
      "a request that is too long",
      { error: "too long", failure: { kind: "context_overflow", retryable: false } },
      {
        terminal_reason: "context_overflow",
        errors: [
          expect.stringMatching(/no longer fits the context window of scripted: too long.*new session/),
        ],
      },
    ],
    [
      "an answer that filled the window",
      { text: "and so", stopReason: "context_overflow" },
      { terminal_reason: "context_overflow", errors: [expect.stringContaining("cut short")] },
    ],
  ])("%s ends the run at once, also with a fallback", async (_name, fault, expected) => {
    const fallback = scriptedModel(["no"], { id: "second" });
    const { result, retries } = await play([fault, "no"], { fallbackModel: fallback });
    expect(result).toMatchObject({ subtype: "error_during_execution", is_error: true, ...expected });
    expect(retries).toEqual([]);
    expect(fallback.requests).toEqual([]);
  });
});

describe("an interrupt", () => {
  it("ends the wait between two tries, though the clock stands still", async () => {
    const clock = fakeClock(1);
    const host = createHost({ platform: { clock } });
    const model = scriptedModel([lost("All"), answer]);
    const query = host.query({ prompt: "go", options: { model, cwd: folder(), persistSession: false } });
    const messages: SDKMessage[] = [];
    for await (const message of query) {
      messages.push(message);
      if (message.type === "system" && message.subtype === "api_retry") await query.interrupt();
    }
    expect(messages.at(-1)).toMatchObject({ type: "result", terminal_reason: "interrupted" });
    expect(model.requests).toHaveLength(1);
    expect(clock.pending).toBe(0);
    await host.close();
  });

  it("leaves the queue of the limiter", async () => {
    const clock = fakeClock(1);
    const host = createHost({ platform: { clock } });
    const refused: ScriptStep = { error: "x", failure: { status: 429, retryAfterMs: 500_000 } };
    const limited = (steps: readonly ScriptStep[]) => ({ ...scriptedModel(steps), limitKey: "one" });
    const common = { persistSession: false, cwd: folder() };
    const first = host.query({ prompt: "go", options: { ...common, model: limited([refused]) } });
    for await (const message of first) {
      if (message.type === "system" && message.subtype === "api_retry") break;
    }
    const model = limited([answer]);
    const second = host.query({ prompt: "go", options: { ...common, model } });
    const messages: SDKMessage[] = [];
    for await (const message of second) {
      messages.push(message);
      if (message.type === "system" && message.subtype === "init") {
        await new Promise((resolve) => setImmediate(resolve));
        await second.interrupt();
      }
    }
    expect(messages.at(-1)).toMatchObject({ type: "result", terminal_reason: "interrupted" });
    expect(model.requests).toHaveLength(0);
    await host.close();
  });
});

describe("whatever the faults", () => {
  it("nothing is doubled, each is told, and there is exactly one result", async () => {
    const words = fc.constantFrom("All ", "is ", "well ", "again ", "a\nb ");
    const text = fc.array(words, { maxLength: 6 }).map((list) => list.join(""));
    const fault = fc.record(
      {
        text,
        thinking: text,
        toolCalls: fc.constantFrom([{ name: "Read", input: { file_path: "/nowhere" } }], []),
        end: fc.constantFrom("error", "breakOff", "429", "529"),
      },
      { requiredKeys: ["end"] },
    );
    const step = fc.record({
      faults: fc.array(fault, { maxLength: 4 }),
      calls: fc.boolean(),
      text: fc.constantFrom("", "One. ", "Two words. "),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), fc.boolean(), async (steps, last) => {
        const script: ScriptStep[] = [];
        const said: string[] = [];
        let faults = 0;
        steps.forEach((each, at) => {
          for (const { end, ...rest } of each.faults) {
            faults += 1;
            if (end === "breakOff") script.push({ ...rest, breakOff: true });
            else if (end === "error") script.push({ ...rest, error: "lost", failure: {} });
            else script.push({ ...rest, error: "busy", failure: { status: Number(end), retryAfterMs: 10 } });
          }
          const more = at < steps.length - 1;
          said.push(each.text);
          script.push({
            text: each.text,
            ...(more ? { toolCalls: [{ name: "LS", input: { path: "." } }] } : {}),
          });
        });
        const { messages, retries, result } = await play(script, { includePartialMessages: last });
        expect(retries).toHaveLength(faults);
        expect(result).toMatchObject({ subtype: "success", num_turns: steps.length });
        // An answer of nothing is still a message.
        expect(finishedTexts(messages)).toEqual(said);
        const screen = screenOf(messages);
        if (last) expect(screen.texts).toEqual(said);
        else expect(screen).toEqual({ texts: [], withdrawn: 0 });
      }),
      { numRuns: Math.min(runs, 60) },
    );
  });
});
