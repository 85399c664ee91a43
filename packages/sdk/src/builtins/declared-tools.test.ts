import { describe, expect, it } from "vitest";
import { wellKnownSpelling } from "../permissions/rule/names.ts";
import type { CheckContext, JsonObject } from "../protocol/index.ts";
import { BUILTIN_TOOL_NAMES } from "../tools/index.ts";
import { declaredTools } from "./index.ts";

const tools = await declaredTools();
const context: CheckContext = {
  cwd: "/w",
  sessionId: "s",
  signal: new AbortController().signal,
  services: {},
};

function toolOf(name: string) {
  const found = tools.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
}

const targets = (name: string, input: JsonObject) => toolOf(name).targets(input, context);
const parses = async (name: string, input: JsonObject) => (await toolOf(name).parseInput(input)).ok;

// Required keys with a value each, then [what is said of the tool]: r reads only, p passes plan mode, i needs no rule, ! cannot be undone.
const TABLE: Readonly<Record<string, readonly [required: JsonObject, facts: string, risk: string]>> = {
  Agent: [{ description: "d", prompt: "p" }, "pi", "high"],
  Config: [{ action: "get" }, "r", "low"],
  EnterWorktree: [{}, "", "high"],
  ExitWorktree: [{ action: "remove" }, "!", "high"],
  ListAgents: [{}, "ri", "low"],
  ListMcpResources: [{}, "r", "high"],
  LSP: [{ operation: "hover" }, "r", "low"],
  Monitor: [{ command: "node watch.js", description: "d" }, "", "high"],
  MultiEdit: [{ file_path: "a", edits: [{ old_string: "a", new_string: "b" }] }, "", "medium"],
  NotebookEdit: [{ notebook_path: "a.ipynb", new_source: "x" }, "", "medium"],
  PowerShell: [{ command: "Remove-Item x" }, "!", "high"],
  PushNotification: [{ message: "m" }, "", "medium"],
  REPL: [{ script: "s" }, "!", "high"],
  ReadMcpResource: [{ server: "srv", uri: "x:y" }, "r", "high"],
  SendMessage: [{ to: "a", message: "m" }, "", "medium"],
  SendUserFile: [{ files: ["a"] }, "", "medium"],
  SendUserMessage: [{ message: "m" }, "", "medium"],
  Skill: [{ skill: "s" }, "pi", "high"],
  TaskCreate: [{ subject: "s", description: "d" }, "pi", "low"],
  TaskGet: [{ taskId: "1" }, "rpi", "low"],
  TaskList: [{}, "rpi", "low"],
  TaskUpdate: [{ taskId: "1" }, "pi", "low"],
  TeamCreate: [{ team_name: "t" }, "", "high"],
  TeamDelete: [{}, "!", "high"],
  ToolSearch: [{ query: "q" }, "rpi", "low"],
  WebFetch: [{ url: "https://a.example/", prompt: "p" }, "rp", "high"],
  WebSearch: [{ query: "q" }, "rp", "medium"],
  Workflow: [{ script: "s" }, "!", "high"],
};

describe("declaredTools", () => {
  it("are the tools that no session mounts yet, by name, each a name that rules know", () => {
    const names = tools.map(({ name }) => name);
    expect([...names].sort()).toEqual(Object.keys(TABLE).sort());
    expect(names).toEqual([...names].sort());
    for (const { name, aliases, source } of tools) {
      expect(BUILTIN_TOOL_NAMES).not.toContain(name);
      for (const each of [name, ...aliases]) expect(wellKnownSpelling(each)).toBe(each);
      expect(source).toBe("builtin");
    }
    expect(toolOf("Agent").aliases).toEqual(["Task"]);
  });

  it("have neither work nor words for a model", () => {
    for (const tool of tools) {
      expect(tool).not.toHaveProperty("call");
      expect(tool).not.toHaveProperty("prompt");
    }
  });

  it.each(Object.entries(TABLE))("%s takes its required keys, and no unknown one", async (name, [input]) => {
    expect(await parses(name, input)).toBe(true);
    expect(toolOf(name).inputSchema.required).toEqual(Object.keys(input));
    for (const key of Object.keys(input)) {
      expect(
        await parses(name, Object.fromEntries(Object.entries(input).filter(([each]) => each !== key))),
      ).toBe(false);
    }
    expect(await parses(name, { ...input, surprise: 1 })).toBe(false);
  });

  it.each(Object.entries(TABLE))("%s says what it may do unasked", (name, [input, facts, risk]) => {
    const tool = toolOf(name);
    const said =
      (tool.isReadOnly(input) ? "r" : "") +
      (tool.allowedInPlan ? "p" : "") +
      (tool.allowedByItself ? "i" : "") +
      (tool.isDestructive(input) ? "!" : "");
    expect([said, tool.riskLevel(input)]).toEqual([facts, risk]);
    expect(tool.requiresUserInteraction()).toBe(false);
    expect(tool.hasCheck).toBe(name === "Config");
    for (const text of [tool.describe(input), tool.summary(input), tool.activity(input)]) {
      expect(text).toMatch(/\S/);
      if (Object.keys(input).length > 0) expect(text).not.toMatch(/undefined|\[object/);
    }
  });
});

describe("what a call touches", () => {
  it.each([
    [{ subagent_type: "Plan" }, "Plan"],
    [{}, "general-purpose"],
    [{ subagent_type: " reviewer " }, "reviewer"],
  ])("Agent %j is an agent of type %s", (input, type) => {
    expect(targets("Agent", input)).toEqual([{ kind: "agent", type }]);
  });

  it.each([
    ["review", "review"],
    [" /review ", "review"],
    ["git:commit", "git:commit"],
  ])("Skill %j is the skill %s", (skill, value) => {
    expect(targets("Skill", { skill })).toEqual([{ kind: "name", value }]);
  });

  it.each([
    ["https://Example.COM/a?b", "example.com", 443],
    ["http://example.com", "example.com", 80],
    ["https://user:pw@example.com:8443/", "example.com", 8443],
    ["https://good.example@evil.example/", "evil.example", 443],
    ["HTTPS://bücher.example./", "xn--bcher-kva.example.", 443],
    ["https://[::1]:80/", "[::1]", 80],
    ["http://0x7f000001/", "127.0.0.1", 80],
    ["https:\\\\evil.example\\x", "evil.example", 443],
  ])("WebFetch %s reaches %s", (url, host, port) => {
    expect(targets("WebFetch", { url })).toEqual([{ kind: "host", host, port }]);
  });

  it.each(["file:///etc/hosts", "https://", "no address", "javascript:alert(1)", ""])(
    "WebFetch %j is refused, and of unknown host before that",
    async (url) => {
      expect(targets("WebFetch", { url })).toEqual([{ kind: "host" }]);
      expect(toolOf("WebFetch").validateInput({ url }, context)).toMatchObject({ ok: false });
      expect(await parses("WebFetch", { url, prompt: "p" })).toBe(url === "https://");
    },
  );

  it("files and notebooks are written, what is sent is read", () => {
    expect(targets("MultiEdit", { file_path: "a" })).toEqual([{ kind: "path", access: "write", path: "a" }]);
    expect(targets("NotebookEdit", { notebook_path: "b" })).toEqual([
      { kind: "path", access: "write", path: "b" },
    ]);
    expect(targets("SendUserFile", { files: [".env"] })).toContainEqual({
      kind: "path",
      access: "read",
      path: ".env",
    });
    expect(targets("SendUserMessage", { message: "m", attachments: [".env"] })).toContainEqual({
      kind: "path",
      access: "read",
      path: ".env",
    });
    expect(targets("LSP", { operation: "hover", file_path: "a.ts" })).toEqual([
      { kind: "path", access: "read", path: "a.ts" },
    ]);
    expect(targets("LSP", { operation: "symbols" })).toMatchObject([{ access: "walk", filtered: true }]);
  });

  it("what moves the session or sends anything needs more than a path rule", () => {
    const calls: readonly (readonly [string, JsonObject])[] = [
      ["EnterWorktree", { path: "w" }],
      ["SendUserFile", { files: ["a"] }],
      ["SendUserMessage", { message: "m", attachments: ["a"] }],
    ];
    for (const [name, input] of calls) {
      expect(targets(name, input)).toContainEqual({ kind: "name", value: name });
    }
  });

  it("resources belong to their server", () => {
    expect(targets("ReadMcpResource", { server: "srv", uri: "x:y" })).toMatchObject([
      { kind: "mcp", server: "srv" },
    ]);
    expect(targets("ListMcpResources", { server: "srv" })).toMatchObject([{ kind: "mcp", server: "srv" }]);
    expect(targets("ListMcpResources", {})).toEqual([{ kind: "name", value: "ListMcpResources" }]);
  });

  it("Monitor runs a command line", () => {
    const line = { command: "tail -f log > out", description: "d" };
    expect(targets("Monitor", line)).toMatchObject([
      { kind: "command" },
      { kind: "path", access: "write", path: "out" },
      { kind: "path", access: "read", path: "log" },
    ]);
    expect(toolOf("Monitor").isReadOnly(line)).toBe(false);
    expect(toolOf("Monitor").isReadOnly({ ...line, command: "ls" })).toBe(true);
  });

  it("Config reads freely, and asks about a change in every mode", async () => {
    const config = toolOf("Config");
    const check = async (input: JsonObject) => config.checkPermissions(input, context);
    expect(await check({ action: "list" })).toMatchObject({ behavior: "allow" });
    expect(await check({ action: "set", key: "model", value: "x" })).toMatchObject({
      behavior: "ask",
      kept: true,
    });
    expect(config.isReadOnly({ action: "unset", key: "model" })).toBe(false);
    expect(config.validateInput({ action: "set", key: "model" }, context)).toMatchObject({ ok: false });
    expect(config.validateInput({ action: "get" }, context)).toMatchObject({ ok: false });
    expect(targets("Config", { action: "get", key: "model" })).toEqual([{ kind: "name", value: "model" }]);
  });
});
