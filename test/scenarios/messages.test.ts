import { createHost, type Options, type SDKMessage, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { live, said } from "../kit/live.ts";
import { run, scratch } from "../kit/session.ts";

const UUID = /^[0-9a-f-]{36}$/;

/** The text that a reader joins of the stream events of one answer. */
function streamedText(messages: readonly SDKMessage[]): string {
  return messages
    .map((message) => {
      if (message.type !== "stream_event" || message.event.type !== "content_block_delta") return "";
      return message.event.delta.type === "text_delta" ? message.event.delta.text : "";
    })
    .join("");
}

describe("the messages of a run", () => {
  it("begin with the init message, which tells what the session is made of", async () => {
    const cwd = scratch();
    const { messages, model } = await run(["hi"], {
      cwd,
      tools: ["Read", "Bash"],
      permissionMode: "acceptEdits",
      disallowedTools: ["Reed"],
    });
    expect(messages[0]).toEqual({
      ...{ type: "system", subtype: "init", cwd, model: model.id, tools: ["Bash", "Read"] },
      ...{
        mcp_servers: [],
        permissionMode: "acceptEdits",
        agents: [],
        skills: [],
        slash_commands: ["compact"],
      },
      ...{ uuid: expect.stringMatching(UUID), session_id: expect.stringMatching(UUID) },
    });
    expect(messages[1]).toMatchObject({ subtype: "notification", message: expect.stringContaining("Reed") });
    expect(new Set(messages.map((message) => message.session_id)).size).toBe(1);
    expect(new Set(messages.map((message) => message.uuid)).size).toBe(messages.length);
  });

  it("tell of each option without effect, in the iterator and on stderr", async () => {
    const lines: string[] = [];
    const options = {
      executable: "bun",
      betas: ["x"],
      stderr: (line: string) => lines.push(line),
    } as Options;
    const { messages } = await run(["hi"], options);
    for (const [at, key] of ["executable", "betas"].entries()) {
      expect(messages[at + 1]).toMatchObject({
        level: "warning",
        message: expect.stringContaining(`options.${key} `),
      });
      expect(lines[at]).toContain(`options.${key} `);
    }
  });

  it("carry what tools log to stderr, and their progress into the iterator", async () => {
    const lines: string[] = [];
    const probe = tool(
      "probe",
      "Probes.",
      {},
      (_, context) => {
        context.log("warn", "half done");
        context.log("debug", "details");
        context.progress("50 %");
        return { content: [{ type: "text", text: "ok" }] };
      },
      { riskLevel: "low" },
    );
    const turns = [{ toolCalls: [{ id: "c1", name: "probe" }] }, "done"];
    const options: Options = { tools: [probe], allowedTools: ["probe"], stderr: (line) => lines.push(line) };
    const { messages } = await run(turns, options);
    expect(lines).toEqual(["warn: c1: half done"]);
    expect(messages.filter((message) => message.type === "tool_progress")).toMatchObject([
      { tool_use_id: "c1", tool_name: "probe", progress: "50 %", parent_tool_use_id: null },
    ]);
    await run(turns, { ...options, debug: true });
    expect(lines).toContain("debug: c1: details");
  });

  it("hold no stream events unless they were asked for", async () => {
    const { messages } = await run([{ text: "one two three", thinking: "hm" }]);
    expect(messages.map((message) => message.type)).toEqual(["system", "assistant", "result"]);
  });

  it("with includePartialMessages come in pieces, and the pieces are the message", async () => {
    const text = "one two three";
    const { messages, assistants } = await run(
      [{ text, thinking: "hm, so", toolCalls: [{ name: "LS", input: { path: "." } }] }, "done"],
      { includePartialMessages: true, tools: ["LS"] },
    );
    const [first] = assistants;
    const events = messages.slice(
      1,
      messages.findIndex((message) => message.type === "assistant"),
    );
    expect(streamedText(events)).toBe(text);
    const types = events.flatMap((message) => (message.type === "stream_event" ? [message.event] : []));
    expect(types[0]).toMatchObject({ type: "message_start", message: { id: first?.message.id } });
    expect(types.at(-1)).toEqual({ type: "message_stop" });
    const starts = types.flatMap((event) =>
      event.type === "content_block_start" ? [event.content_block.type] : [],
    );
    expect(starts).toEqual(first?.message.content.map((block) => block.type));
    expect(new Set(events.map((message) => message.uuid)).size).toBe(1);
  });

  it("show a change of mode, once it holds", async () => {
    const host = createHost({ store: memoryStore() });
    async function* prompts() {
      yield said("a");
      await session.until((message) => message.type === "result");
      await session.query.setPermissionMode("plan");
      yield said("b");
    }
    const model = scriptedModel(["one", "two"]);
    const session = live(prompts(), { model }, host);
    await session.ended;
    expect(session.messages).toContainEqual(
      expect.objectContaining({ subtype: "status", permissionMode: "plan" }),
    );
    expect(model.requests[0]?.tail).toEqual([]);
    expect(model.requests[1]?.tail.join()).toMatch(/Plan mode is on/);
    expect(model.requests[1]?.system).toEqual(model.requests[0]?.system);
  });

  it("setPermissionMode and addDirectories refuse nonsense, and take what is right", async () => {
    const outside = scratch();
    const refused: unknown[] = [];
    async function* prompts() {
      const { query } = session;
      for (const act of [
        () => query.setPermissionMode("yolo"),
        () => query.setPermissionMode("Plan" as never),
        () => query.addDirectories("x" as never),
        () => query.addDirectories([""]),
      ]) {
        refused.push(await act().catch((error: unknown) => error));
      }
      await query.addDirectories([outside, "relative"]);
      yield said("a");
    }
    const write = { name: "Write", input: { file_path: `${outside}/a.txt`, content: "x" } };
    const model = scriptedModel([{ toolCalls: [write] }, "done"]);
    const session = live(prompts(), { model, permissionMode: "acceptEdits" });
    await session.ended;
    expect(refused).toHaveLength(4);
    for (const error of refused)
      expect(error).toMatchObject({ code: "invalid_option", message: expect.stringMatching(/\S/) });
    expect(session.results()).toMatchObject([{ subtype: "success", permission_denials: [] }]);
  });
});

describe("the result message", () => {
  it("counts requests, tokens, denials and time", async () => {
    const usage = (inputTokens: number, outputTokens: number) => ({
      inputTokens,
      outputTokens,
      cacheReadTokens: 5,
    });
    const { result, model } = await run([
      { toolCalls: [{ id: "c1", name: "Bash", input: { command: "touch x" } }], usage: usage(100, 10) },
      { text: "done", usage: usage(200, 20) },
    ]);
    const sum = {
      input_tokens: 300,
      output_tokens: 30,
      cache_read_input_tokens: 10,
      cache_creation_input_tokens: 0,
    };
    expect(result).toEqual({
      ...{ type: "result", subtype: "success", is_error: false, result: "done", num_turns: 2 },
      ...{ uuid: expect.stringMatching(UUID), session_id: expect.stringMatching(UUID) },
      ...{ usage: sum, modelUsage: { [model.id]: sum }, total_cost_usd: 0, cost_unknown: true },
      ...{ stop_reason: "end_turn", terminal_reason: "completed", duration_ms: expect.any(Number) },
      permission_denials: [{ tool_name: "Bash", tool_use_id: "c1", tool_input: { command: "touch x" } }],
    });
    expect(Number.isInteger(result.duration_ms)).toBe(true);
  });

  it("of each user turn counts that turn alone: the results of a session add up", async () => {
    async function* prompts() {
      yield said("a");
      yield said("b");
    }
    const turn = (inputTokens: number) => ({ text: "x", usage: { inputTokens, outputTokens: 1 } });
    const session = live(prompts(), { model: scriptedModel([turn(10), turn(100)]) });
    await session.ended;
    expect(session.results().map((result) => [result.num_turns, result.usage.input_tokens])).toEqual([
      [1, 10],
      [1, 100],
    ]);
  });

  it.each<readonly [string, Options, Parameters<typeof scriptedModel>[0], object]>([
    [
      "maxTurns",
      { maxTurns: 1, tools: ["LS"] },
      [{ toolCalls: [{ name: "LS" }] }],
      { subtype: "error_max_turns", terminal_reason: "max_turns", num_turns: 1 },
    ],
    [
      "a model that fails",
      {},
      [{ text: "x", error: "overloaded" }],
      { subtype: "error_during_execution", terminal_reason: "model_error", num_turns: 1 },
    ],
    [
      "a script that is at its end",
      {},
      [],
      { subtype: "error_during_execution", terminal_reason: "model_error" },
    ],
    [
      "a hook that stops",
      {
        hooks: { PreToolUse: [{ hooks: [() => ({ continue: false, stopReason: "enough" })] }] },
        tools: ["Glob"],
      },
      [{ toolCalls: [{ name: "Glob", input: { pattern: "*" } }] }],
      {
        subtype: "error_during_execution",
        terminal_reason: "hook_stopped",
        errors: [expect.stringContaining("enough")],
      },
    ],
    [
      "a denial with interrupt",
      { canUseTool: () => ({ behavior: "deny", message: "no", interrupt: true }) },
      [{ toolCalls: [{ name: "Bash", input: { command: "touch x" } }] }],
      { subtype: "error_during_execution", terminal_reason: "denied_interrupt" },
    ],
  ])("after %s has errors and no result text", async (_, options, turns, expected) => {
    const { result } = await run(turns, options);
    expect(result).toMatchObject({ is_error: true, ...expected });
    expect(result.errors?.length).toBeGreaterThan(0);
    expect(result).not.toHaveProperty("result");
  });
});

it("the prefix of 50 requests is the same, byte by byte", async () => {
  const cwd = scratch();
  const steps = Array.from({ length: 49 }, (_, at) => ({
    toolCalls: [
      at % 3 === 0
        ? {
            name: "TodoWrite",
            input: { todos: [{ content: `${at}`, status: "pending", activeForm: `${at}` }] },
          }
        : {
            name: "Bash",
            input: { command: at % 3 === 1 ? `mkdir d${at} && cd d${at}` : `echo ${at} > f${at}` },
          },
    ],
  }));
  const { model, result } = await run([...steps, "done"], { cwd, allowedTools: ["Bash", "TodoWrite"] });
  expect(result).toMatchObject({ subtype: "success", num_turns: 50 });
  const prefix = (at: number) => {
    const { system, tools, builtinTools } = model.requests[at] ?? {};
    return JSON.stringify({ system, tools, builtinTools });
  };
  const history = (at: number) => JSON.stringify(model.requests[at]?.messages);
  for (let at = 1; at < 50; at += 1) {
    expect(prefix(at)).toBe(prefix(0));
    expect(history(at).startsWith(history(at - 1).slice(0, -1))).toBe(true);
  }
});
