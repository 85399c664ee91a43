import type { LanguageModelV2, LanguageModelV3 } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { createHost } from "../host/index.ts";
import { type AiSdkModel, readFailure, resolveModel } from "../model/index.ts";
import { ask, PIXEL, request, results, user } from "../model/wire/test-kit.ts";
import { nodePlatform } from "../platform/index.ts";
import { fakeClock } from "../testing/index.ts";
import { fromAiSdk } from "./index.ts";
import { type Call, handMade, outcome } from "./test-kit.ts";

const V2_USAGE = { inputTokens: 10, outputTokens: 3, totalTokens: 13, cachedInputTokens: 4 };
const USAGE = {
  inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: undefined },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
};
const picture = { type: "file", mediaType: "image/png", ref: { kind: "data", base64: PIXEL } } as const;

function finish(version: string, reason: string): object {
  const isOld = version === "v2";
  return {
    type: "finish",
    usage: isOld ? V2_USAGE : USAGE,
    finishReason: isOld ? reason : { unified: reason, raw: reason },
  };
}

const ANSWER = [
  { type: "stream-start", warnings: [] },
  { type: "response-metadata", id: "r" },
  { type: "reasoning-start", id: "a" },
  { type: "reasoning-delta", id: "a", delta: "Hm." },
  { type: "reasoning-delta", id: "a", delta: "", providerMetadata: { made: { signature: "s" } } },
  { type: "reasoning-end", id: "a" },
  { type: "raw", rawValue: 1 },
  { type: "text-start", id: "b" },
  { type: "text-delta", id: "b", delta: "Hi " },
  { type: "text-delta", id: "b", delta: "you." },
  { type: "text-end", id: "b" },
  { type: "tool-input-start", id: "c1", toolName: "Read" },
  { type: "tool-input-delta", id: "c1", delta: '{"path":' },
  { type: "tool-input-delta", id: "c1", delta: '"x"}' },
  { type: "tool-input-end", id: "c1" },
  {
    type: "tool-call",
    toolCallId: "c1",
    toolName: "Read",
    input: '{"path":"x"}',
    providerMetadata: { made: { t: 1 } },
  },
  { type: "tool-call", toolCallId: "c2", toolName: "Read", input: '{"path":"y"}' },
];

describe.each(["v2", "v3", "v4"] as const)("an object of interface %s", (version) => {
  const parts = [...ANSWER, finish(version, "tool-calls")];

  it("is joined into one message", async () => {
    const { message, usage, stopReason } = await ask(
      fromAiSdk(handMade(version, parts)),
      request([user("Hi")]),
    );
    expect(stopReason).toBe("tool_use");
    expect(usage).toEqual({ inputTokens: 6, outputTokens: 3, cacheReadTokens: 4, cacheWriteTokens: 0 });
    const meta = (metadata: object): object => ({ "ai-sdk:made.by-hand": { model: "m", metadata } });
    expect(message.parts).toEqual([
      { type: "reasoning", text: "Hm.", meta: meta({ made: { signature: "s" } }) },
      { type: "text", text: "Hi you." },
      { type: "toolCall", id: "c1", name: "Read", input: { path: "x" }, meta: meta({ made: { t: 1 } }) },
      { type: "toolCall", id: "c2", name: "Read", input: { path: "y" } },
    ]);
  });

  it("gets its own data back, and files in its own shape", async () => {
    const calls: Call[] = [];
    const onCall = (call: Call): void => void calls.push(call);
    const model = fromAiSdk(handMade(version, parts, { provider: "x.anthropic", onCall }));
    const { message } = await ask(model, request([user("Hi", picture)]));
    await ask(model, request([user("Hi", picture), message, results(message, [picture])], { tail: ["now"] }));
    const [system, first, said, told, tail] = calls[1].prompt;
    expect(system).toMatchObject({ role: "system", content: "You test." });
    const data = version === "v4" ? { type: "data", data: PIXEL } : PIXEL;
    expect(first.content[1]).toEqual({ type: "file", mediaType: "image/png", data });
    expect(said.content).toEqual([
      { type: "reasoning", text: "Hm.", providerOptions: { made: { signature: "s" } } },
      { type: "text", text: "Hi you." },
      {
        type: "tool-call",
        toolCallId: "c1",
        toolName: "Read",
        input: { path: "x" },
        providerOptions: { made: { t: 1 } },
      },
      { type: "tool-call", toolCallId: "c2", toolName: "Read", input: { path: "y" } },
    ]);
    const type = { v2: "media", v3: "image-data", v4: "file" }[version];
    expect(told.content[0].output).toEqual({
      type: "content",
      value: [{ type, mediaType: "image/png", data }],
    });
    expect(told.providerOptions).toEqual({ anthropic: { cacheControl: { type: "ephemeral" } } });
    expect(tail).toEqual({ role: "user", content: [{ type: "text", text: "now" }] });
    expect(calls[1].abortSignal).toBeInstanceOf(AbortSignal);
  });

  it.each<[string, readonly unknown[], object]>([
    ["no end", ANSWER.slice(0, 9), { kind: "truncated", retryable: true }],
    ["no reason for the end", [finish(version, version === "v2" ? "unknown" : "")], {}],
    [
      "an error part",
      [{ type: "error", error: { type: "overloaded_error", message: "busy" } }],
      { status: 529, retryable: true },
    ],
    [
      "an error of a text",
      [{ type: "error", error: "lost" }, finish(version, "error")],
      { kind: "stream_error", retryable: true },
    ],
    ["an end in an error", [finish(version, "error")], { kind: "stream_error", retryable: true }],
  ])("fails with %s", async (name, told, expected) => {
    const list =
      name.startsWith("no reason") && version !== "v2"
        ? [{ type: "finish", usage: USAGE, finishReason: { unified: "other" } }]
        : told;
    const got = await outcome(fromAiSdk(handMade(version, list)), request([user("Hi")]));
    expect(readFailure(got.error)).toMatchObject(
      name.startsWith("no reason") ? { kind: "truncated" } : expected,
    );
    expect(got.parts.some((part) => part.type === "finish")).toBe(false);
  });

  it("is taken by the option `model`", async () => {
    const text = [{ type: "text-delta", id: "a", delta: "Done." }, finish(version, "stop")];
    let last: unknown;
    const options = { model: handMade(version, text), persistSession: false, env: {} };
    for await (const message of createHost().query({ prompt: "Hi", options })) last = message;
    expect(last).toMatchObject({ type: "result", subtype: "success", result: "Done." });
  });
});

/** Both published types fit; the compiler is the test. */
const typed: (model: LanguageModelV2 | LanguageModelV3) => AiSdkModel = (model) => model;

describe("an object of the AI SDK", () => {
  it("keeps its type", () => {
    const model = handMade("v3", []) as LanguageModelV3;
    expect(typed(model)).toBe(model);
  });

  it("that ignores its signal is left at once", async () => {
    const controller = new AbortController();
    const ending = outcome(
      fromAiSdk(handMade("v3", [], { hang: true })),
      request([user("Hi")]),
      controller.signal,
    );
    setImmediate(() => controller.abort());
    expect((await ending).error).toMatchObject({ code: "aborted" });
  });

  it.each<[string, AiSdkModel]>([
    ["in its stream", handMade("v3", [], { hang: true })],
    ["before its stream", { ...handMade("v3", []), doStream: () => new Promise(() => {}) }],
    [
      "about the addresses it fetches",
      { ...handMade("v3", []), ...{ supportedUrls: new Promise(() => {}) } },
    ],
  ])("that is silent for a minute has stalled: %s", async (_, object) => {
    const clock = fakeClock();
    const platform = { ...nodePlatform(), clock };
    const model = fromAiSdk(object, { platform });
    const ending = outcome(model, request([user("Hi")]));
    await new Promise((next) => setTimeout(next, 20));
    clock.advance(60_000);
    expect(readFailure((await ending).error)).toMatchObject({ kind: "stalled", retryable: true });
    expect(clock.pending).toBe(0);
  });

  it("of another version is refused", async () => {
    const old = { ...handMade("v2", []), specificationVersion: "v1" } as never;
    expect(() => fromAiSdk(old)).toThrow(/specificationVersion is "v1".*v2, v3 or v4/);
    const run = async (): Promise<void> => {
      for await (const _ of createHost().query({ prompt: "x", options: { model: old } }));
    };
    await expect(run()).rejects.toThrow(/specificationVersion/);
  });

  it("whose package is not installed is named with the line that installs it", async () => {
    const platform = nodePlatform();
    const aiSdk = () => import("./index.ts");
    const named = (name: string) => resolveModel(name, { platform, cwd: "/", env: {}, aiSdk });
    await expect(named("google/gemini-3-pro")).rejects.toThrow(/npm i @ai-sdk\/google@/);
    await expect(named("mistral/large")).rejects.toThrow(/npm i @ai-sdk\/mistral.*import \{ mistral \}/);
    await expect(named("nobody/x")).rejects.toMatchObject({ code: "invalid_model" });
  });
});
