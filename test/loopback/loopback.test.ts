import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Loopback, startLoopback } from "./index.ts";

let server: Loopback;
beforeAll(async () => {
  server = await startLoopback({ turns: () => "ok" });
});
afterAll(() => server.close());

async function post(path: string, body: unknown): Promise<{ status: number; text: string }> {
  const headers = { "content-type": "application/json", "anthropic-version": "2023-06-01" };
  const answer = await fetch(server.baseURL + path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: answer.status, text: await answer.text() };
}

type Content = unknown;
const message = (role: string, content: Content) => ({ role, content });

describe("the loopback's Messages API", () => {
  const ask = (messages: unknown, more: object = {}) =>
    post("/messages", { model: "claude-x", max_tokens: 10, stream: true, messages, ...more });
  const use = { type: "tool_use", id: "t1", name: "A", input: {} };
  const result = { type: "tool_result", tool_use_id: "t1", content: "r" };
  const hi = message("user", "hi");

  it("streams what it was told", async () => {
    const { status, text } = await ask([hi]);
    expect(status).toBe(200);
    expect(text.match(/^event: .*$/gm)).toEqual(
      "message_start content_block_start ping content_block_delta content_block_stop message_delta message_stop"
        .split(" ")
        .map((name) => `event: ${name}`),
    );
  });

  it.each<[string, unknown, object?]>([
    ["no max_tokens", [hi], { max_tokens: undefined }],
    ["a field that it does not know", [hi], { maxTokens: 5 }],
    ["no message", []],
    ["an assistant first", [message("assistant", "hi"), hi]],
    ["two of one role", [hi, hi]],
    ["an assistant last", [hi, message("assistant", "x")]],
    ["a blank text", [message("user", [{ type: "text", text: " " }])]],
    ["a content type of another API", [message("user", [{ type: "input_text", text: "x" }])]],
    [
      "an image without data",
      [message("user", [{ type: "image", source: { type: "base64", media_type: "image/png", data: "" } }])],
    ],
    ["a result without a call", [hi, message("assistant", "x"), message("user", [result])]],
    ["a call without a result", [hi, message("assistant", [use]), message("user", "x")]],
    [
      "text before a result",
      [hi, message("assistant", [use]), message("user", [{ type: "text", text: "x" }, result])],
    ],
    [
      "a failed result with an image",
      [
        hi,
        message("assistant", [use]),
        message("user", [
          {
            ...result,
            is_error: true,
            content: [{ type: "image", source: { type: "url", url: "https://x/" } }],
          },
        ]),
      ],
    ],
    [
      "a foreign thought",
      [
        hi,
        message("assistant", [
          { type: "thinking", thinking: "t", signature: "s" },
          { type: "text", text: "x" },
        ]),
        hi,
      ],
    ],
    ["a thought at the end", [hi, message("assistant", [{ type: "redacted_thinking", data: "d" }]), hi]],
    [
      "thinking without thoughts",
      [hi, message("assistant", [use]), message("user", [result])],
      { max_tokens: 5000, thinking: { type: "enabled", budget_tokens: 2000 } },
    ],
    ["a budget over the limit", [hi], { thinking: { type: "enabled", budget_tokens: 2000 } }],
    [
      "a deferred tool without its beta",
      [hi],
      { tools: [{ name: "A", input_schema: { type: "object" }, defer_loading: true }] },
    ],
    [
      "five marks",
      [message("user", Array(5).fill({ type: "text", text: "x", cache_control: { type: "ephemeral" } }))],
    ],
  ])("refuses %s", async (_, messages, more) => {
    const { status, text } = await ask(messages, more);
    expect({ status, type: JSON.parse(text).error.type }).toEqual({
      status: 400,
      type: "invalid_request_error",
    });
  });
});

describe("the loopback's chat completions", () => {
  const ask = (messages: unknown, more: object = {}) =>
    post("/chat/completions", { model: "m", stream: true, messages, ...more });
  const calls = [{ id: "c1", type: "function", function: { name: "A", arguments: "{}" } }];
  const asks = { role: "assistant", content: null, tool_calls: calls };
  const hi = message("user", "hi");

  it("counts only on request, and ends with its mark", async () => {
    const plain = await ask([hi]);
    expect(plain.text.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(plain.text).not.toContain('"usage"');
    expect((await ask([hi], { stream_options: { include_usage: true } })).text).toContain('"total_tokens"');
  });

  it.each<[string, unknown, object?]>([
    ["no message", []],
    ["a role that it does not know", [message("toolResult", "x")]],
    ["a result without a call", [hi, { role: "tool", tool_call_id: "c1", content: "r" }]],
    ["a call without a result", [hi, asks, hi]],
    ["a call without a result at the end", [hi, asks]],
    [
      "an image in a result",
      [
        hi,
        asks,
        {
          role: "tool",
          tool_call_id: "c1",
          content: [{ type: "image_url", image_url: { url: "https://x/" } }],
        },
      ],
    ],
    ["a content type of another API", [message("user", [{ type: "image", source: {} }])]],
    ["an answer of nothing", [hi, { role: "assistant", content: null }, hi]],
    [
      "arguments that are no JSON",
      [
        hi,
        { ...asks, tool_calls: [{ ...calls[0], function: { name: "A", arguments: "{" } }] },
        { role: "tool", tool_call_id: "c1", content: "r" },
      ],
    ],
    [
      "a long id",
      [
        hi,
        { ...asks, tool_calls: [{ ...calls[0], id: "x".repeat(41) }] },
        { role: "tool", tool_call_id: "x".repeat(41), content: "r" },
      ],
    ],
    ["an empty list of tools", [hi], { tools: [] }],
    ["thinking as another API spells it", [hi], { thinking: { type: "enabled" } }],
  ])("refuses %s", async (_, messages, more) => {
    const { status, text } = await ask(messages, more);
    expect({ status, type: JSON.parse(text).error.type }).toEqual({
      status: 400,
      type: "invalid_request_error",
    });
  });
});

describe("the loopback's Responses", () => {
  const ask = (input: unknown, more: object = {}) =>
    post("/responses", { model: "gpt-5.4", stream: true, input, ...more });
  const say = (role: string, type: string) => ({ type: "message", role, content: [{ type, text: "x" }] });
  const hi = say("user", "input_text");
  const call = { type: "function_call", call_id: "c1", name: "A", arguments: "{}" };
  const output = { type: "function_call_output", call_id: "c1", output: "r" };

  it("numbers its events", async () => {
    const { text } = await ask([hi]);
    const numbers = [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, n]) => Number(n));
    expect(numbers).toEqual(numbers.map((_, i) => i));
    expect(text).toMatch(/event: response\.created[\s\S]*event: response\.completed/);
  });

  it.each<[string, unknown, object?]>([
    ["no input", []],
    ["text of the wrong side", [say("assistant", "input_text")]],
    ["a result without a call", [hi, output]],
    ["a call without a result", [hi, call]],
    ["an item that it does not know", [hi, { type: "tool_use" }]],
    [
      "a foreign thought",
      [hi, { type: "reasoning", id: "r", summary: [], encrypted_content: "e" }, call, output],
    ],
    [
      "a thought that leads nowhere",
      [hi, { type: "reasoning", id: "r", summary: [], encrypted_content: "e" }],
    ],
    [
      "reasoning of a model that has none",
      [hi],
      { model: "gpt-4.1", include: ["reasoning.encrypted_content"] },
    ],
    ["tools of chat completions", [hi], { tools: [{ type: "function", function: { name: "A" } }] }],
    [
      "an open schema where strict is not switched off",
      [hi],
      { tools: [{ type: "function", name: "A", parameters: { type: "object" } }] },
    ],
    ["a limit as chat completions spell it", [hi], { max_tokens: 5 }],
  ])("refuses %s", async (_, input, more) => {
    const { status, text } = await ask(input, more);
    expect({ status, type: JSON.parse(text).error.type }).toEqual({
      status: 400,
      type: "invalid_request_error",
    });
  });
});
