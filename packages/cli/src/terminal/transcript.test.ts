import type { SDKMessage } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { createTranscript } from "./transcript.ts";

const common = { uuid: "u", session_id: "s" };
const plain = (text: string): string => text;
const style = { red: plain, yellow: plain, green: plain, cyan: plain, dim: plain, bold: plain };

function delta(text: string): SDKMessage {
  const event = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } } as const;
  return { type: "stream_event", ...common, parent_tool_use_id: null, event };
}

const withdrawn: SDKMessage = {
  ...common,
  ...{ type: "system", subtype: "message_withdrawn", parent_tool_use_id: null },
  ...{ withdrawn_uuid: "u", message_id: "m" },
};
const retry: SDKMessage = {
  ...common,
  ...{ type: "system", subtype: "api_retry", model: "m", attempt: 2, max_retries: 10 },
  ...{ retry_delay_ms: 1_500, error: "overloaded", error_status: 529 },
};
const assistant: SDKMessage = {
  ...common,
  ...{ type: "assistant", parent_tool_use_id: null },
  message: {
    ...{ id: "m", type: "message", role: "assistant", model: "m", stop_reason: null },
    content: [{ type: "text", text: "All is well." }],
    usage: {
      ...{ input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    },
  },
};

function printed(messages: readonly SDKMessage[]): string[] {
  const lines: string[] = [];
  const answer = { write: (text: string) => lines.push(`answer ${JSON.stringify(text)}`) };
  const notes = { write: (text: string) => lines.push(`note ${JSON.stringify(text)}`) };
  const floor = { write: (to: { write(text: string): unknown }, text: string) => void to.write(text) };
  const transcript = createTranscript({
    answer,
    notes,
    floor: floor as never,
    style: style as never,
    width: 80,
  });
  for (const message of messages) transcript.message(message);
  return lines;
}

const done = {
  ...common,
  ...{ type: "result", subtype: "success", is_error: false, result: "Summed up 4 messages." },
} as unknown as SDKMessage;

it("what a command of the session came to is a note, where the model said nothing", () => {
  expect(printed([done])).toEqual(['note "Summed up 4 messages.\\n"']);
  expect(printed([assistant, done, done])).toEqual([
    'answer "All is well."',
    'answer "\\n"',
    'note "Summed up 4 messages.\\n"',
  ]);
});

describe("a try that failed", () => {
  it("is said not to count before the new one prints, and each retry is a line", () => {
    expect(printed([delta("All is"), withdrawn, retry, delta("All is well."), assistant])).toEqual([
      'answer "All is"',
      'answer "\\n"',
      'answer "! The answer above broke off and does not count.\\n"',
      'note "! overloaded Again in 2 s (2 of 10).\\n"',
      'answer "All is well."',
      'answer "\\n"',
    ]);
  });

  it("leaves the finished answer to be printed when the good try streamed nothing", () => {
    expect(printed([delta("All"), withdrawn, retry, assistant]).slice(-2)).toEqual([
      'answer "All is well."',
      'answer "\\n"',
    ]);
  });

  it("names the model that takes over", () => {
    const [line] = printed([{ ...retry, fallback_model: "openai/x" } as SDKMessage]);
    expect(line).toBe('note "! overloaded Going on with openai/x.\\n"');
  });
});

describe("a request that is held back", () => {
  const held = (least_wait_ms: number): SDKMessage => ({
    ...common,
    ...{ type: "system", subtype: "status", permissionMode: "default" },
    held_back: { model: "m", least_wait_ms },
  });
  const mode: SDKMessage = { ...common, type: "system", subtype: "status", permissionMode: "plan" };

  it("is a line that says how long", () => {
    expect(printed([held(61_000), held(0), mode])).toEqual([
      'note "! m has refused requests with this key. The next one waits 61 s.\\n"',
      'note "! m has refused requests with this key. The next one waits until others have their answer.\\n"',
    ]);
  });
});
