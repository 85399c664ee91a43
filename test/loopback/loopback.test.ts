import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hide } from "./anthropic/seal.ts";
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

/** The request is refused with the provider's own error, for this reason and no other. */
function expectRefusal({ status, text }: { status: number; text: string }, complaint: RegExp): void {
  const { error } = JSON.parse(text);
  expect({ status, type: error.type }).toEqual({ status: 400, type: "invalid_request_error" });
  expect(error.message).toMatch(complaint);
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

  it.each<[string, RegExp, unknown, object?]>([
    ["no max_tokens", /max_tokens: Field required/, [hi], { max_tokens: undefined }],
    ["a field that it does not know", /body\.maxTokens: Extra inputs/, [hi], { maxTokens: 5 }],
    ["no message", /at least one message/, []],
    ["an assistant first", /roles must alternate/, [message("assistant", "hi"), hi]],
    ["two of one role", /roles must alternate/, [hi, hi]],
    ["an assistant last", /must end with a user message/, [hi, message("assistant", "x")]],
    ["a blank text", /non-whitespace text/, [message("user", [{ type: "text", text: " " }])]],
    [
      "a content type of another API",
      /'input_text' is not allowed in user/,
      [message("user", [{ type: "input_text", text: "x" }])],
    ],
    [
      "an image without data",
      /source\.data: Input should be base64/,
      [message("user", [{ type: "image", source: { type: "base64", media_type: "image/png", data: "" } }])],
    ],
    [
      "a result without a call",
      /unexpected `tool_use_id`.*: t1/,
      [hi, message("assistant", "x"), message("user", [result])],
    ],
    [
      "a call without a result",
      /without `tool_result` blocks: t1/,
      [hi, message("assistant", [use]), message("user", "x")],
    ],
    [
      "text before a result",
      /tool_result blocks must come first/,
      [hi, message("assistant", [use]), message("user", [{ type: "text", text: "x" }, result])],
    ],
    [
      "a failed result with an image",
      /must be type `text` if `is_error`/,
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
      /Invalid `signature`/,
      [
        hi,
        message("assistant", [
          { type: "thinking", thinking: "t", signature: "s" },
          { type: "text", text: "x" },
        ]),
        hi,
      ],
    ],
    [
      "a thought at the end",
      /final block in an assistant message cannot be `thinking`/,
      [hi, message("assistant", [{ type: "redacted_thinking", data: hide("claude-x", "d") }]), hi],
    ],
    [
      "thinking without thoughts",
      /Expected `thinking` or `redacted_thinking`, but found `tool_use`/,
      [hi, message("assistant", [use]), message("user", [result])],
      { max_tokens: 5000, thinking: { type: "enabled", budget_tokens: 2000 } },
    ],
    [
      "a budget over the limit",
      /`max_tokens` must be greater than/,
      [hi],
      { thinking: { type: "enabled", budget_tokens: 2000 } },
    ],
    [
      "a deferred tool without its beta",
      /tools\.0\.defer_loading: Extra inputs/,
      [hi],
      { tools: [{ name: "A", input_schema: { type: "object" }, defer_loading: true }] },
    ],
    [
      "five marks",
      /A maximum of 4 blocks.*Found 5/,
      [message("user", Array(5).fill({ type: "text", text: "x", cache_control: { type: "ephemeral" } }))],
    ],
  ])("refuses %s", async (_, complaint, messages, more) => {
    expectRefusal(await ask(messages, more), complaint);
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

  it.each<[string, RegExp, unknown, object?]>([
    ["no message", /is too short - 'messages'/, []],
    ["a role that it does not know", /Invalid value: 'toolResult'/, [message("toolResult", "x")]],
    [
      "a result without a call",
      /response to a preceding message/,
      [hi, { role: "tool", tool_call_id: "c1", content: "r" }],
    ],
    ["a call without a result", /must be followed by tool messages\. Missing: c1/, [hi, asks, hi]],
    ["a call without a result at the end", /must be followed by tool messages\.$/, [hi, asks]],
    [
      "an image in a result",
      /'image_url' at 'messages\[2\]\.content\[0\]'/,
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
    [
      "a content type of another API",
      /'image' at 'messages\[0\]\.content\[0\]'/,
      [message("user", [{ type: "image", source: {} }])],
    ],
    ["an answer of nothing", /expected a string, got null/, [hi, { role: "assistant", content: null }, hi]],
    [
      "arguments that are no JSON",
      /function\.arguments': not JSON/,
      [
        hi,
        { ...asks, tool_calls: [{ ...calls[0], function: { name: "A", arguments: "{" } }] },
        { role: "tool", tool_call_id: "c1", content: "r" },
      ],
    ],
    [
      "a long id",
      /\.id': string too long/,
      [
        hi,
        { ...asks, tool_calls: [{ ...calls[0], id: "x".repeat(41) }] },
        { role: "tool", tool_call_id: "x".repeat(41), content: "r" },
      ],
    ],
    ["an empty list of tools", /is too short - 'tools'/, [hi], { tools: [] }],
    [
      "thinking as another API spells it",
      /Unrecognized request argument supplied: .*thinking/,
      [hi],
      { thinking: { type: "enabled" } },
    ],
  ])("refuses %s", async (_, complaint, messages, more) => {
    expectRefusal(await ask(messages, more), complaint);
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

  it.each<[string, RegExp, unknown, object?]>([
    ["no input", /Missing required parameter: 'input'/, []],
    [
      "text of the wrong side",
      /'input_text' at 'input\[0\]\.content\[0\]'/,
      [say("assistant", "input_text")],
    ],
    ["a result without a call", /No tool call found.*c1/, [hi, output]],
    ["a call without a result", /No tool output found.*c1/, [hi, call]],
    ["an item that it does not know", /Invalid value: 'tool_use'/, [hi, { type: "tool_use" }]],
    [
      "a foreign thought",
      /could not be verified/,
      [hi, { type: "reasoning", id: "r", summary: [], encrypted_content: "e" }, call, output],
    ],
    [
      "a thought that leads nowhere",
      /without its required following item/,
      [hi, { type: "reasoning", id: "r", summary: [], encrypted_content: hide("gpt-5.4", "t") }],
    ],
    [
      "reasoning of a model that has none",
      /Encrypted content is not supported/,
      [hi],
      { model: "gpt-4.1", include: ["reasoning.encrypted_content"] },
    ],
    [
      "tools of chat completions",
      /Unknown parameter: .*function/,
      [hi],
      { tools: [{ type: "function", function: { name: "A" } }] },
    ],
    [
      "an open schema where strict is not switched off",
      /'additionalProperties' is required/,
      [hi],
      { tools: [{ type: "function", name: "A", parameters: { type: "object" } }] },
    ],
    ["a limit as chat completions spell it", /Unknown parameter: .*max_tokens/, [hi], { max_tokens: 5 }],
  ])("refuses %s", async (_, complaint, input, more) => {
    expectRefusal(await ask(input, more), complaint);
  });
});
