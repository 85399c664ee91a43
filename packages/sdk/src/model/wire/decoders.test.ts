import { describe, expect, it } from "vitest";
import { createAccumulator } from "../accumulator.ts";
import type { ModelPart } from "../port.ts";
import { createAnthropicDecoder } from "./anthropic/decoder.ts";
import { createResponsesDecoder } from "./openai-responses/decoder.ts";
import type { Endpoint } from "./shared/endpoint.ts";
import type { StreamDecoder } from "./shared/stream-decoder.ts";

const endpoint: Endpoint = {
  id: "x/y",
  model: "y",
  provider: "x",
  url: "http://127.0.0.1/",
  auth: {},
  keyName: "KEY",
  limitKey: "k",
  firstByteMs: 1,
  stallMs: 1,
  dialect: { openai: false, pdf: false, strictTools: false },
};

function read(decoder: StreamDecoder, events: readonly object[]) {
  const parts: ModelPart[] = [];
  let done = false;
  for (const event of events) done = decoder.event(JSON.stringify(event), parts);
  if (!done) decoder.end(parts);
  const accumulator = createAccumulator("m");
  for (const part of parts) accumulator.push(part);
  const answer = accumulator.finish();
  if (!answer.ok) throw new Error(answer.message);
  return answer.completion;
}

describe("events of the Messages API", () => {
  const claude = (...events: object[]) =>
    read(
      createAnthropicDecoder(endpoint, () => "made"),
      events,
    );
  const start = (index: number, content_block: object) => ({
    type: "content_block_start",
    index,
    content_block,
  });
  const delta = (index: number, change: object) => ({ type: "content_block_delta", index, delta: change });
  const stop = (index: number) => ({ type: "content_block_stop", index });
  const why = (stop_reason: string) => ({
    type: "message_delta",
    delta: { stop_reason },
    usage: { output_tokens: 3 },
  });
  const end = [why("end_turn"), { type: "message_stop" }];
  const say = (index: number, text: string) => [
    start(index, { type: "text", text: "" }),
    delta(index, { type: "text_delta", text }),
    stop(index),
  ];

  it("keeps neighbours of one kind apart, and empty blocks out", () => {
    const { message } = claude(...say(0, "a"), ...say(1, ""), ...say(2, "b"), ...end);
    expect(message.parts).toEqual([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]);
  });

  it("binds each signature to its thought, also to one that is not told", () => {
    const think = (index: number, thinking: string, signature: string) => [
      start(index, { type: "thinking", thinking: "", signature: "" }),
      ...(thinking === "" ? [] : [delta(index, { type: "thinking_delta", thinking })]),
      delta(index, { type: "signature_delta", signature: signature.slice(0, 1) }),
      delta(index, { type: "signature_delta", signature: signature.slice(1) }),
      stop(index),
    ];
    const { message } = claude(
      ...think(0, "a", "s-a"),
      ...think(1, "", "s-b"),
      ...think(2, "c", "s-c"),
      ...say(3, "x"),
      ...end,
    );
    expect(message.parts).toEqual([
      { type: "reasoning", text: "a", meta: { x: { model: "y", signature: "s-a" } } },
      { type: "reasoning", text: "", meta: { x: { model: "y", signature: "s-b" } } },
      { type: "reasoning", text: "c", meta: { x: { model: "y", signature: "s-c" } } },
      { type: "text", text: "x" },
    ]);
  });

  it("reads input that stands in the start of its block, and makes an id where there is none", () => {
    const { message } = claude(start(0, { type: "tool_use", name: "A", input: { n: 1 } }), stop(0), ...end);
    expect(message.parts).toEqual([{ type: "toolCall", id: "made", name: "A", input: { n: 1 } }]);
  });

  it("passes over blocks and deltas that it does not know", () => {
    const { message } = claude(
      start(0, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
      delta(0, { type: "input_json_delta", partial_json: "{}" }),
      stop(0),
      start(1, { type: "text", text: "a" }),
      delta(1, { type: "citations_delta", citation: {} }),
      delta(1, { type: "text_delta", text: "b" }),
      delta(9, { type: "text_delta", text: "lost" }),
      stop(1),
      ...end,
    );
    expect(message.parts).toEqual([{ type: "text", text: "ab" }]);
  });

  it.each([
    ["stop_sequence", "end_turn"],
    ["max_tokens", "max_tokens"],
    ["refusal", "refusal"],
    ["model_context_window_exceeded", "context_overflow"],
    ["pause_turn", "other"],
    ["constructor", "other"],
  ])("takes %s as %s", (raw, stopReason) => {
    expect(claude(...say(0, "a"), why(raw), { type: "message_stop" }).stopReason).toBe(stopReason);
  });

  it("throws for an error of a gateway, which has no type", () => {
    expect(() => claude(...say(0, "a"), { error: { message: "no upstream", code: 502 } })).toThrow(
      /no upstream/,
    );
    expect(() => claude(...say(0, "a"), { type: "new", error: null }, why("end_turn"))).not.toThrow();
  });

  it("is whole without its last event, not without its reason or with an open block", () => {
    expect(claude(...say(0, "a"), why("end_turn")).message.parts).toHaveLength(1);
    expect(() => claude(...say(0, "a"))).toThrow(/without an end mark/);
    expect(() => claude(start(0, { type: "text", text: "a" }), why("end_turn"))).toThrow(
      /without an end mark/,
    );
  });
});

describe("events of the Responses API", () => {
  const openai = (...events: object[]) =>
    read(
      createResponsesDecoder(endpoint, () => "made"),
      events,
    );
  const added = (output_index: number, item: object) => ({
    type: "response.output_item.added",
    output_index,
    item,
  });
  const done = (output_index: number, item: object) => ({
    type: "response.output_item.done",
    output_index,
    item,
  });
  const ended = (type: string, response: object = {}) => ({
    type: `response.${type}`,
    response: { status: type, ...response },
  });
  const text = (delta: string) => ({ type: "response.output_text.delta", delta });

  it("joins the parts of a summary, and keeps items apart", () => {
    const think = (id: string, ...parts: string[]) => [
      added(0, { type: "reasoning", id }),
      ...parts.flatMap((delta) => [
        { type: "response.reasoning_summary_part.added" },
        { type: "response.reasoning_summary_text.delta", delta },
      ]),
      done(0, { type: "reasoning", id, encrypted_content: `e-${id}` }),
    ];
    const { message } = openai(
      ...think("r1", "a", "b"),
      ...think("r2"),
      added(2, { type: "message" }),
      text("x"),
      ended("completed"),
    );
    const meta = (id: string) => ({ x: { id, encrypted: `e-${id}`, model: "y" } });
    expect(message.parts).toEqual([
      { type: "reasoning", text: "a\n\nb", meta: meta("r1") },
      { type: "reasoning", text: "", meta: meta("r2") },
      { type: "text", text: "x" },
    ]);
  });

  it("reads a call that came without deltas, or only at its end", () => {
    const call = { type: "function_call", call_id: "c", name: "A" };
    const whole = { ...call, arguments: '{"n":1}' };
    for (const events of [[added(0, call), done(0, whole)], [done(0, whole)]]) {
      expect(openai(...events, ended("completed"))).toMatchObject({
        stopReason: "tool_use",
        message: { parts: [{ id: "c", name: "A", input: { n: 1 } }] },
      });
    }
  });

  it.each<[string, object, string]>([
    [
      "max_output_tokens",
      ended("incomplete", { incomplete_details: { reason: "max_output_tokens" } }),
      "max_tokens",
    ],
    ["content_filter", ended("incomplete", { incomplete_details: { reason: "content_filter" } }), "refusal"],
    ["a new one", ended("incomplete", { incomplete_details: { reason: "tired" } }), "other"],
    ["done", ended("completed"), "end_turn"],
  ])("tells why it ended: %s", (_, event, stopReason) => {
    expect(openai(added(0, { type: "message" }), text("x"), event).stopReason).toBe(stopReason);
  });

  it("tells a refusal", () => {
    const refusal = { type: "response.refusal.delta", delta: "No." };
    expect(openai(added(0, { type: "message" }), refusal, ended("completed"))).toMatchObject({
      stopReason: "refusal",
      message: { parts: [{ text: "No." }] },
    });
  });

  it.each([
    [ended("failed", { error: { code: "server_error", message: "away" } }), { retryable: true, status: 500 }],
    [
      ended("failed", { error: { code: "rate_limit_exceeded", message: "away" } }),
      { retryable: true, status: 429 },
    ],
    [
      ended("failed", { error: { code: "invalid_prompt", message: "away" } }),
      { retryable: false, status: 400 },
    ],
    [
      ended("failed", { error: { code: "context_length_exceeded", message: "away" } }),
      { kind: "context_overflow" },
    ],
    [
      { type: "error", code: null, message: "away" },
      { kind: "stream_error", retryable: true },
    ],
    [{ error: { message: "away" } }, { kind: "stream_error", retryable: true }],
  ])("throws for %j", (event, expected) => {
    let thrown: unknown;
    try {
      openai(event);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({
      code: "model_failed",
      message: expect.stringContaining("away"),
      ...expected,
    });
  });
});
