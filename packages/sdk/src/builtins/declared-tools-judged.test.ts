import { afterEach, describe, expect, it } from "vitest";
import { type GateKit, type GateKitOptions, gateKit } from "../gate/test-kit.ts";
import { nodePlatform } from "../platform/index.ts";
import type { JsonObject, ToolDefinition } from "../protocol/index.ts";
import { catalogueOf } from "../tools/index.ts";
import { bashOutputTool } from "./background-shells/bash-output-tool.ts";
import { killShellTool } from "./background-shells/kill-shell-tool.ts";
import { declaredTools } from "./index.ts";
import {
  cronCreateTool,
  cronDeleteTool,
  cronListTool,
  scheduleWakeupTool,
  sleepTool,
} from "./timers/timer-tools.ts";

// Through the real gate, with nobody there to ask: what is not allowed is denied, and the reason says by what.

const declared = (await declaredTools()).map(
  (facts): ToolDefinition => ({ ...facts, prompt: () => "", call: () => ({ content: [] }) }),
);
const deps = { platform: nodePlatform(), services: {} };
const tools = [
  ...declared,
  ...[bashOutputTool(), killShellTool()],
  ...[cronCreateTool(deps), cronDeleteTool(), cronListTool(), scheduleWakeupTool(), sleepTool()],
];

let kit: GateKit | undefined;
afterEach(() => kit?.remove());

const catalogue = catalogueOf(tools);

async function judged(name: string, input: JsonObject, options: GateKitOptions = {}): Promise<string> {
  await kit?.remove();
  kit = await gateKit({ deps: { catalogue }, ...options });
  const verdict = await kit.ask(name, input);
  if (verdict.kind !== "refuse") return "allow";
  return verdict.decision?.reason.type ?? verdict.code;
}

const deny = (...rules: string[]): GateKitOptions => ({ rules: { deny: rules } });
const allow = (...rules: string[]): GateKitOptions => ({ rules: { allow: rules } });
const bypass = (options: GateKitOptions): GateKitOptions => ({
  ...options,
  context: { mode: "bypassPermissions", isBypassAvailable: true },
});

const RUNS: readonly [string, JsonObject][] = [
  ["Agent", { description: "d", prompt: "p" }],
  ["BashOutput", { bash_id: "1" }],
  ["Config", { action: "get", key: "model" }],
  ["CronList", {}],
  ["KillShell", { shell_id: "1" }],
  ["LSP", { operation: "symbols" }],
  ["ListAgents", {}],
  ["Monitor", { command: "ls", description: "d" }],
  ["PowerShell", { command: "Get-Date" }],
  ["Skill", { skill: "s" }],
  ["TaskCreate", { subject: "s", description: "d" }],
  ["TaskGet", { taskId: "1" }],
  ["TaskList", {}],
  ["TaskUpdate", { taskId: "1" }],
  ["ToolSearch", { query: "q" }],
];

const ASKED: readonly [string, JsonObject][] = [
  ["Config", { action: "set", key: "model", value: "x" }],
  ["CronCreate", { cron: "* * * * *", prompt: "p" }],
  ["CronDelete", { id: "1" }],
  ["EnterWorktree", { path: "w" }],
  ["ExitWorktree", { action: "keep" }],
  ["LSP", { operation: "hover", file_path: "/etc/hosts" }],
  ["ListMcpResources", {}],
  ["ListMcpResources", { server: "srv" }],
  ["Monitor", { command: "node x.js", description: "d" }],
  ["MultiEdit", { file_path: "a", edits: [{ old_string: "a", new_string: "b" }] }],
  ["NotebookEdit", { notebook_path: "a.ipynb", new_source: "" }],
  ["PowerShell", { command: "Get-Process" }],
  ["PushNotification", { message: "m" }],
  ["REPL", { script: "1" }],
  ["ReadMcpResource", { server: "srv", uri: "x:y" }],
  ["ScheduleWakeup", { seconds: 1, prompt: "p" }],
  ["SendMessage", { to: "a", message: "m" }],
  ["SendUserFile", { files: ["a"] }],
  ["SendUserMessage", { message: "m" }],
  ["Sleep", { seconds: 1 }],
  ["TeamCreate", { team_name: "t" }],
  ["TeamDelete", {}],
  ["WebFetch", { url: "https://a.example/", prompt: "p" }],
  ["WebSearch", { query: "q" }],
  ["Workflow", { script: "s" }],
];

describe("without any rule", () => {
  it.each(RUNS)("%s runs", async (name, input) => {
    expect(await judged(name, input)).toBe("allow");
  });

  it.each(ASKED)("%s is asked about", async (name, input) => {
    expect(await judged(name, input)).toBe("noApprover");
    expect(await judged(name, input, { context: { mode: "dontAsk" } })).toBe("mode");
  });

  it("every tool stands in one of the two", () => {
    const names = [...RUNS, ...ASKED].map(([name]) => name);
    expect([...new Set(names)].sort()).toEqual(tools.map(({ name }) => name).sort());
  });
});

describe("rules", () => {
  it.each<[string, JsonObject, string]>([
    ["Agent", { description: "d", prompt: "p" }, "Agent(general-purpose)"],
    ["Agent", { description: "d", prompt: "p", subagent_type: "explore" }, "Task(Explore)"],
    ["Skill", { skill: "/deploy", args: "x" }, "Skill(deploy)"],
    ["WebFetch", { url: "https://u:p@EVIL.example:8443/x", prompt: "p" }, "WebFetch(domain:evil.example)"],
    ["WebFetch", { url: "https://bücher.example/", prompt: "p" }, "WebFetch(domain:xn--bcher-kva.example)"],
    ["NotebookEdit", { notebook_path: "x.ipynb", new_source: "" }, "Edit(*.ipynb)"],
    ["MultiEdit", { file_path: ".env", edits: [{ old_string: "a", new_string: "b" }] }, "Read(.env)"],
    ["SendUserFile", { files: [".env"] }, "Read(.env)"],
    ["SendUserMessage", { message: "m", attachments: ["a", ".env"] }, "Read(.env)"],
    ["LSP", { operation: "hover", file_path: ".env" }, "Read(.env)"],
    ["Monitor", { command: "ls; curl x", description: "d" }, "Bash(curl:*)"],
    ["Monitor", { command: "tail -f .env", description: "d" }, "Read(.env)"],
    ["Monitor", { command: "ls", description: "d" }, "Bash"],
    ["ReadMcpResource", { server: "srv", uri: "x:y" }, "mcp__srv"],
    ["ListMcpResources", { server: "srv" }, "mcp__srv__*"],
    ["SendMessage", { to: " reviewer ", message: "m" }, "SendMessage(reviewer)"],
    ["PowerShell", { command: "remove-item x" }, "PowerShell(Remove-Item:*)"],
    ["PowerShell", { command: "Get-Date; ri x" }, "PowerShell(Remove-Item:*)"],
    ["REPL", { script: "1" }, "REPL(anything)"],
    ["KillShell", { shell_id: "1" }, "TaskStop"],
    ["Config", { action: "get", key: "model" }, "Config(model)"],
  ])("%s %j is denied by %s, in every mode", async (name, input, rule) => {
    for (const options of [deny(rule), bypass(deny(rule))]) {
      expect(await judged(name, input, options)).toMatch(/^(rule|subcommand)$/);
    }
  });

  it.each<[string, JsonObject, string]>([
    ["Agent", { description: "d", prompt: "p", subagent_type: "Plan" }, "Agent(Explore)"],
    ["WebFetch", { url: "https://evil.example@good.example/", prompt: "p" }, "WebFetch(domain:evil.example)"],
    ["PowerShell", { command: "Get-Process" }, "PowerShell(Remove-Item:*)"],
    ["ReadMcpResource", { server: "other", uri: "x:y" }, "mcp__srv"],
  ])("%s %j is none that %s denies", async (name, input, rule) => {
    expect(await judged(name, input, bypass(deny(rule)))).toBe("allow");
  });

  it.each<[string, JsonObject, string, string]>([
    ["WebFetch", { url: "https://a.example:1/", prompt: "p" }, "WebFetch(domain:a.example)", "allow"],
    [
      "WebFetch",
      { url: "https://a.example.b.example/", prompt: "p" },
      "WebFetch(domain:a.example)",
      "noApprover",
    ],
    ["ReadMcpResource", { server: "srv", uri: "x:y" }, "mcp__srv", "allow"],
    ["ReadMcpResource", { server: "srv", uri: "x:y" }, "mcp__srv__get_*", "noApprover"],
    ["SendMessage", { to: "a", message: "m" }, "SendMessage(a)", "allow"],
    ["SendMessage", { to: "b", message: "m" }, "SendMessage(a)", "noApprover"],
    ["SendUserFile", { files: ["a"] }, "SendUserFile", "allow"],
    ["SendUserFile", { files: ["a"] }, "Read(a)", "noApprover"],
    ["EnterWorktree", { path: "w" }, "Edit(w)", "noApprover"],
    ["EnterWorktree", { path: "w" }, "EnterWorktree", "allow"],
    ["Monitor", { command: "npm test", description: "d" }, "Bash(npm test:*)", "allow"],
    ["NotebookEdit", { notebook_path: "a.ipynb", new_source: "" }, "Edit(./**)", "allow"],
    ["PowerShell", { command: "Get-Process x" }, "PowerShell(Get-Process:*)", "allow"],
    ["PowerShell", { command: "Get-Process x; ri y" }, "PowerShell(Get-Process:*)", "noApprover"],
    ["PowerShell", { command: "Get-Process $(ri y)" }, "PowerShell(Get-Process *)", "noApprover"],
    ["REPL", { script: "anything" }, "REPL(*thing)", "noApprover"],
    ["Config", { action: "set", key: "a", value: 1 }, "Config", "noApprover"],
  ])("%s %j under the allow rule %s: %s", async (name, input, rule, want) => {
    expect(await judged(name, input, allow(rule))).toBe(want);
  });

  it("a Bash deny makes what runs shell text unseen ask in every mode, and a change of settings always does", async () => {
    const options = bypass(deny("Bash(curl:*)"));
    expect(await judged("PowerShell", { command: "Get-Date" }, options)).toBe("noApprover");
    expect(await judged("REPL", { script: "1" }, options)).toBe("noApprover");
    expect(await judged("Config", { action: "unset", key: "a" }, bypass({}))).toBe("noApprover");
  });

  it("acceptEdits covers notebooks and nothing that leaves the session", async () => {
    const options: GateKitOptions = { context: { mode: "acceptEdits" } };
    expect(await judged("NotebookEdit", { notebook_path: "a.ipynb", new_source: "" }, options)).toBe("allow");
    expect(await judged("EnterWorktree", { path: "w" }, options)).toBe("noApprover");
    expect(await judged("SendUserFile", { files: ["a"] }, options)).toBe("noApprover");
  });
});
