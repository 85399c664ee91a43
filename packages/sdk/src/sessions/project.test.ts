import { describe, expect, it } from "vitest";
import type { FilePart, SDKMessage } from "../protocol/index.ts";
import { apply } from "./apply.ts";
import { project } from "./project.ts";
import { createWriterOfLogs } from "./random-log.cases.ts";
import { emptyState } from "./state.ts";

const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 2, cacheWriteTokens: 1 };
const sdkUsage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_read_input_tokens: 2,
  cache_creation_input_tokens: 1,
};
const reason = { type: "mode", mode: "plan" } as const;

function messagesOf(fill: (log: ReturnType<typeof createWriterOfLogs>) => void): SDKMessage[] {
  const log = createWriterOfLogs();
  log.add("session.started", { sessionId: "s1", cwd: "/work", release: "0.1.0" });
  fill(log);
  const state = emptyState();
  return log.events.flatMap((event) => {
    apply(state, event);
    return project(event, state);
  });
}

const call = (id: string) => ({ type: "toolCall", id, name: "Bash", input: { command: id } }) as const;

describe("project", () => {
  it("tells of the setup and of modes", () => {
    const messages = messagesOf((log) => {
      log.add("session.configured", {
        model: "scripted:/s.json",
        mode: "plan",
        tools: ["Bash", "Read"],
        rules: [],
        additionalDirectories: [],
      });
      log.add("user.message", { message: { role: "user", parts: [{ type: "text", text: "hi" }] } });
      log.add("mode.changed", { mode: "default", by: "test" });
    });
    expect(messages).toEqual([
      {
        type: "system",
        subtype: "init",
        uuid: "e2",
        session_id: "s1",
        cwd: "/work",
        model: "scripted:/s.json",
        tools: ["Bash", "Read"],
        mcp_servers: [],
        permissionMode: "plan",
        agents: [],
        skills: [],
        slash_commands: ["compact"],
      },
      { type: "system", subtype: "status", uuid: "e4", session_id: "s1", permissionMode: "default" },
    ]);
  });

  it("gives an answer in the blocks of the Messages API", () => {
    const [message, none] = messagesOf((log) => {
      log.add("model.completed", {
        model: "m",
        message: {
          role: "assistant",
          id: "msg_1",
          parts: [
            { type: "reasoning", text: "Hm.", meta: { anthropic: { signature: "sig" } } },
            { type: "reasoning", text: "So.", meta: { other: { signature: "x" } } },
            { type: "text", text: "Hello." },
            call("a"),
          ],
        },
        usage,
        stopReason: "tool_use",
        durationMs: 1,
      });
    });
    expect(none).toBeUndefined();
    expect(message).toEqual({
      type: "assistant",
      uuid: "e2",
      session_id: "s1",
      parent_tool_use_id: null,
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "m",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "sig" },
          { type: "thinking", thinking: "So." },
          { type: "text", text: "Hello." },
          { type: "tool_use", id: "a", name: "Bash", input: { command: "a" } },
        ],
        stop_reason: "tool_use",
        usage: sdkUsage,
      },
    });
  });

  it("gives every result with what was decided, also the one that ends the round", () => {
    const rule = { text: "Bash(b)", behavior: "deny", source: "session" } as const;
    const messages = messagesOf((log) => {
      const parts = [call("a"), call("b")];
      const message = { role: "assistant", id: "m1", parts } as const;
      log.add("model.completed", { model: "m", message, usage, stopReason: "tool_use", durationMs: 1 });
      log.add("tool.decided", {
        callId: "a",
        name: "Bash",
        behavior: "allow",
        message: "yes",
        reason,
        asked: true,
      });
      log.add("tool.decided", { callId: "b", name: "Bash", behavior: "deny", message: "no", reason, rule });
      log.add("tool.finished", {
        callId: "b",
        name: "Bash",
        outcome: "denied",
        content: [{ type: "text", text: "no" }],
        isError: true,
      });
      log.add("tool.finished", {
        callId: "a",
        name: "Bash",
        outcome: "finished",
        content: [],
        isError: false,
        structured: { exit: 0 },
        context: ["noted"],
      });
    });
    const common = { session_id: "s1", parent_tool_use_id: null, type: "user" };
    expect(messages.slice(1)).toEqual([
      {
        type: "system",
        subtype: "permission_denied",
        uuid: "e4",
        session_id: "s1",
        tool_name: "Bash",
        tool_use_id: "b",
        message: "no",
        reason,
      },
      {
        ...common,
        uuid: "e5",
        message: {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "b", content: "no", is_error: true }],
        },
        permission_decision: { behavior: "deny", message: "no", reason, rule },
      },
      {
        ...common,
        uuid: "e6",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "noted" }] },
        tool_use_result: { exit: 0 },
        permission_decision: { behavior: "allow", message: "yes", reason, asked: true },
      },
    ]);
  });

  it.each<[FilePart, unknown]>([
    [
      { type: "file", mediaType: "image/png", ref: { kind: "data", base64: "AA==" } },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } },
    ],
    [
      { type: "file", mediaType: "image/png", ref: { kind: "url", url: "https://x.test/a.png" } },
      { type: "image", source: { type: "url", url: "https://x.test/a.png" } },
    ],
    [
      {
        type: "file",
        mediaType: "image/png",
        ref: { kind: "artifact", hash: "secret", size: 9 },
        name: "a.png",
      },
      { type: "text", text: "[file a.png: image/png, 9 bytes]" },
    ],
    [
      { type: "file", mediaType: "application/pdf", ref: { kind: "url", url: "https://x.test/a" } },
      { type: "text", text: "[file at https://x.test/a: application/pdf]" },
    ],
  ])("shows a file of a result: %j", (part, block) => {
    const [message] = messagesOf((log) => {
      log.add("tool.finished", {
        callId: "a",
        name: "T",
        outcome: "finished",
        content: [part],
        isError: false,
      });
    });
    expect(message).toMatchObject({ message: { content: [{ content: [block] }] } });
    expect(JSON.stringify(message)).not.toContain("secret");
  });

  it.each([
    ["success", { result: "Done." }, { is_error: false, result: "Done." }],
    [
      "error_max_turns",
      { errors: ["5 turns"], costUnknown: true },
      { is_error: true, errors: ["5 turns"], cost_unknown: true },
    ],
  ] as const)("ends a turn with its result: %s", (subtype, more, expected) => {
    const denials = [{ tool_name: "Bash", tool_use_id: "a", tool_input: {} }];
    const [message] = messagesOf((log) => {
      log.add("result", {
        subtype,
        turns: 2,
        durationMs: 30,
        usage,
        modelUsage: { m: usage },
        costUsd: 0.5,
        denials,
        stopReason: "context_overflow",
        terminalReason: "completed",
        ...more,
      });
    });
    expect(message).toEqual({
      type: "result",
      subtype,
      uuid: "e2",
      session_id: "s1",
      duration_ms: 30,
      num_turns: 2,
      usage: sdkUsage,
      modelUsage: { m: sdkUsage },
      total_cost_usd: 0.5,
      permission_denials: denials,
      stop_reason: "model_context_window_exceeded",
      terminal_reason: "completed",
      ...expected,
    });
  });

  it("shows nothing of an answer that was cut short before its first word", () => {
    const message = { role: "assistant", id: "m1", parts: [] } as const;
    const answer = { model: "m", message, usage, stopReason: "other", durationMs: 1 } as const;
    expect(messagesOf((log) => log.add("model.completed", { ...answer, interrupted: true }))).toEqual([]);
    expect(messagesOf((log) => log.add("model.completed", answer))).toMatchObject([
      { message: { content: [] } },
    ]);
  });
});
