import { describe, expect, it } from "vitest";
import type { SDKMessage } from "../protocol/index.ts";
import { assertComplete, expectTranscript, fakeClock, transcript } from "./index.ts";

const common = { uuid: "u", session_id: "s" };
const usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

function calls(...ids: string[]): SDKMessage {
  const content = ids.map((id) => ({ type: "tool_use", id, name: "Read", input: { path: id } }) as const);
  return {
    type: "assistant",
    ...common,
    parent_tool_use_id: null,
    message: {
      id: "m",
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text: "Let me\nlook." }, ...content],
      stop_reason: null,
      usage,
    },
  };
}

function answered(id: string, is_error = false): SDKMessage {
  const block = { type: "tool_result", tool_use_id: id, content: `text of ${id}`, is_error } as const;
  return { type: "user", ...common, parent_tool_use_id: null, message: { role: "user", content: [block] } };
}

const init: SDKMessage = {
  type: "system",
  subtype: "init",
  ...common,
  cwd: "/w",
  model: "scripted",
  tools: ["Bash", "Read"],
  mcp_servers: [],
  permissionMode: "default",
  agents: [],
  skills: [],
  slash_commands: [],
};

const done: SDKMessage = {
  type: "result",
  subtype: "error_max_turns",
  ...common,
  is_error: true,
  duration_ms: 5,
  num_turns: 1,
  usage,
  modelUsage: {},
  total_cost_usd: 0,
  errors: ["1 turn was allowed"],
  permission_denials: [],
  stop_reason: null,
  terminal_reason: "max_turns",
};

const denied: SDKMessage = {
  type: "system",
  subtype: "permission_denied",
  ...common,
  tool_name: "Bash",
  tool_use_id: "b",
  message: "Bash(rm:*) denies it",
  reason: { type: "mode", mode: "default" },
};

describe("transcript", () => {
  const run = [init, calls("a", "b"), denied, answered("a"), answered("b", true), done];

  it("tells a run in lines", () => {
    expectTranscript(
      run,
      `
        init scripted [Bash, Read] default
        assistant: Let me\\nlook.
        call Read {"path":"a"}
        call Read {"path":"b"}
        denied Bash: Bash(rm:*) denies it
        result Read: text of a
        error Read: text of b
        done error_max_turns (1 turn, max_turns): 1 turn was allowed
      `,
    );
    expect(transcript([])).toBe("");
  });

  it("shows both texts where they differ", () => {
    expect(() => expectTranscript([init], "init other")).toThrow(
      expect.objectContaining({
        name: "AssertionError",
        actual: "init scripted [Bash, Read] default",
        expected: "init other",
      }),
    );
  });
});

describe("assertComplete", () => {
  it("takes a run in which every call has one result", () => {
    expect(assertComplete([init, calls("a", "b"), answered("b"), answered("a"), done])).toBeUndefined();
  });

  it.each<[SDKMessage[], RegExp]>([
    [[calls("a", "b"), answered("a")], /Read \(b\) has no result/],
    [[calls("a"), answered("a"), answered("a")], /Read \(a\) has 2 results/],
    [[answered("a"), calls("a")], /no call before it: a/],
    [[calls("a"), calls("a"), answered("a")], /two calls have the id a/],
  ])("refuses one that is not: %#", (messages, message) => {
    expect(() => assertComplete(messages)).toThrow(message);
  });
});

describe("fakeClock", () => {
  it("fires timers in order of time, with those that they start, and none that was cancelled", () => {
    const clock = fakeClock(1000);
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name}@${clock.now()}`);
    clock.timer(30, note("late"));
    clock.timer(10, () => {
      note("first")();
      clock.timer(5, note("inner"));
    });
    clock.timer(20, note("never")).cancel();
    clock.timer(10, note("second"));
    clock.advance(29);
    expect(fired).toEqual(["first@1010", "second@1010", "inner@1015"]);
    expect([clock.now(), clock.monotonic(), clock.pending]).toEqual([1029, 29, 1]);
    clock.advance(1);
    expect(fired.at(-1)).toBe("late@1030");
    expect(clock.pending).toBe(0);
  });
});

describe("assertComplete over providers that begin their ids anew", () => {
  it("takes the same id once a round", () => {
    expect(() =>
      assertComplete([calls("call_0"), answered("call_0"), calls("call_0"), answered("call_0")]),
    ).not.toThrow();
  });

  it("still sees what is missing, twice there, or of one id in one message", () => {
    const first = [calls("call_0"), answered("call_0")];
    expect(() => assertComplete([...first, calls("call_0")])).toThrow(/Read \(call_0\) has no result/);
    expect(() => assertComplete([...first, answered("call_0")])).toThrow(/Read \(call_0\) has 2 results/);
    expect(() => assertComplete([calls("call_0", "call_0"), answered("call_0")])).toThrow(/two calls/);
    expect(() => assertComplete([calls("call_0"), calls("call_0"), answered("call_0")])).toThrow(/two calls/);
  });
});
