import { createSdkMcpServer, type JsonObject, type Options, tool } from "@castellan/sdk";
import { AGENT } from "../../packages/sdk/src/builtins/agent/agent-declaration.ts";
import { CONFIG } from "../../packages/sdk/src/builtins/config/config-declaration.ts";
import type { Declaration } from "../../packages/sdk/src/builtins/declaration.ts";
import { READ_MCP_RESOURCE } from "../../packages/sdk/src/builtins/mcp-resources/mcp-resource-declarations.ts";
import { MONITOR } from "../../packages/sdk/src/builtins/monitor/monitor-declaration.ts";
import { NOTEBOOK_EDIT } from "../../packages/sdk/src/builtins/notebook-edit/notebook-edit-declaration.ts";
import { SEND_MESSAGE } from "../../packages/sdk/src/builtins/peers/peer-declarations.ts";
import { POWER_SHELL } from "../../packages/sdk/src/builtins/power-shell/power-shell-declaration.ts";
import { SKILL } from "../../packages/sdk/src/builtins/skill/skill-declaration.ts";
import { WEB_FETCH } from "../../packages/sdk/src/builtins/web-fetch/web-fetch-declaration.ts";
import { WEB_SEARCH } from "../../packages/sdk/src/builtins/web-search/web-search-declaration.ts";
import { buildTool } from "../../packages/sdk/src/tools/index.ts";

/** A call of the matrix, with the options that it needs. Whatever it does when it is let through is harmless. */
export interface MatrixCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly options?: Options;
}

/** The files that the calls are about. Absolute. */
export interface Places {
  readonly cwd: string;
  readonly outside: string;
}

const done = () => ({ content: [{ type: "text" as const, text: "done" }] });

/** A declared built-in that runs and does nothing: all that is judged is its own. */
const declared = (declaration: Declaration): Options => ({
  tools: [buildTool({ ...declaration, prompt: declaration.description, call: done })],
});

const custom = (extras: object): Options => ({ tools: [tool("probe", "Is judged.", {}, done, extras)] });
const allowed = (...rules: string[]): Options => ({ allowedTools: rules });
const denied = (...rules: string[]): Options => ({ disallowedTools: rules });
const asked = (...rules: string[]): Options => ({ settings: { permissions: { ask: rules } } });
const bash = (command: string, options?: Options): MatrixCall => ({
  tool: "Bash",
  input: { command },
  ...(options === undefined ? {} : { options }),
});
const probe = (options: Options): MatrixCall => ({ tool: "probe", input: {}, options });
const of = (declaration: Declaration, input: JsonObject): MatrixCall => ({
  tool: declaration.name,
  input,
  options: declared(declaration),
});

const hook = () => ({
  hookSpecificOutput: { hookEventName: "PreToolUse" as const, permissionDecision: "allow" as const },
});
const hookAllows: Options = { hooks: { PreToolUse: [{ hooks: [hook] }] } };

const server = createSdkMcpServer({ name: "srv", tools: [tool("act", "Acts.", {}, done)] });
const QUESTION = { question: "Which?", options: [{ label: "a" }, { label: "b" }] };

/** Every call, by the name that its row bears. */
export function matrixCalls({ cwd, outside }: Places): ReadonlyMap<string, MatrixCall> {
  return new Map<string, MatrixCall>([
    ["Read inside", { tool: "Read", input: { file_path: `${cwd}/a.txt` } }],
    ["Read outside", { tool: "Read", input: { file_path: `${outside}/o.txt` } }],
    [
      "Read under a deny",
      { tool: "Read", input: { file_path: `${cwd}/a.txt` }, options: denied("Read(a.txt)") },
    ],
    ["Grep outside", { tool: "Grep", input: { pattern: "x", path: outside }, options: { tools: ["Grep"] } }],
    ["Write inside", { tool: "Write", input: { file_path: `${cwd}/new.txt`, content: "x" } }],
    ["Write outside", { tool: "Write", input: { file_path: `${outside}/new.txt`, content: "x" } }],
    ["Write protected", { tool: "Write", input: { file_path: `${cwd}/.vscode/x.json`, content: "{}" } }],
    [
      "Write protected, bare allow",
      {
        tool: "Write",
        input: { file_path: `${cwd}/.vscode/x.json`, content: "{}" },
        options: allowed("Write", "Edit"),
      },
    ],
    ["NotebookEdit inside", of(NOTEBOOK_EDIT, { notebook_path: `${cwd}/n.ipynb`, new_source: "x" })],
    ["Bash ls", bash("ls")],
    ["Bash ls, ask rule", bash("ls", asked("Bash(ls:*)"))],
    ["Bash cat outside", bash(`cat ${outside}/o.txt`)],
    ["Bash mkdir inside", bash("mkdir -p made")],
    ["Bash redirect inside", bash("echo x > made.txt")],
    ["Bash redirect outside", bash(`echo x > ${outside}/made.txt`)],
    ["Bash rm -rf inside", bash("rm -rf build")],
    ["Bash rm -rf cwd", bash("rm -rf .")],
    ["Bash program", bash("./program --flag")],
    ["Bash program, allow rule", bash("./program --flag", allowed("Bash(./program:*)"))],
    ["Bash program, deny rule", bash("./program --flag", denied("Bash(./program:*)"))],
    ["Bash program, hook allow", bash("./program --flag", hookAllows)],
    ["Bash rm -rf cwd, hook allow", bash("rm -rf .", hookAllows)],
    ["Bash opaque", bash("X=ls; $X$Y")],
    ["Bash opaque under a deny", bash("X=ls; $X$Y", { ...allowed("Bash"), ...denied("Bash(curl:*)") })],
    ["Bash git config", bash("git config core.pager less", allowed("Bash"))],
    ["Monitor ls", of(MONITOR, { command: "ls", description: "d" })],
    ["PowerShell", of(POWER_SHELL, { command: "Remove-Item x" })],
    ["PowerShell read-only", of(POWER_SHELL, { command: "Get-Date" })],
    ["WebFetch", of(WEB_FETCH, { url: "https://a.example/", prompt: "p" })],
    [
      "WebFetch, allow rule",
      {
        ...of(WEB_FETCH, { url: "https://a.example/", prompt: "p" }),
        options: { ...declared(WEB_FETCH), ...allowed("WebFetch(domain:a.example)") },
      },
    ],
    ["WebSearch", of(WEB_SEARCH, { query: "q" })],
    ["MCP tool", { tool: "mcp__srv__act", input: {}, options: { mcpServers: { srv: server } } }],
    ["ReadMcpResource", of(READ_MCP_RESOURCE, { server: "srv", uri: "x:y" })],
    ["custom low", probe(custom({ riskLevel: "low" }))],
    ["custom low, read-only", probe(custom({ riskLevel: "low", annotations: { readOnlyHint: true } }))],
    ["custom high", probe(custom({}))],
    ["custom high, read-only", probe(custom({ annotations: { readOnlyHint: true } }))],
    ["custom high, allow rule", probe({ ...custom({}), ...allowed("probe") })],
    ["custom, always_ask", probe(custom({ permissionPolicy: "always_ask" }))],
    ["custom, always_deny", probe({ ...custom({ permissionPolicy: "always_deny" }), ...allowed("probe") })],
    ["Agent", of(AGENT, { description: "d", prompt: "p" })],
    [
      "Agent, deny rule",
      {
        ...of(AGENT, { description: "d", prompt: "p" }),
        options: { ...declared(AGENT), ...denied("Agent(general-purpose)") },
      },
    ],
    ["Skill", of(SKILL, { skill: "s" })],
    ["SendMessage", of(SEND_MESSAGE, { to: "a", message: "m" })],
    ["Sleep", { tool: "Sleep", input: { seconds: 1 }, options: { tools: ["Sleep"] } }],
    ["Config get", of(CONFIG, { action: "get", key: "model" })],
    ["Config set", of(CONFIG, { action: "set", key: "model", value: "x" })],
    ["TodoWrite", { tool: "TodoWrite", input: { todos: [] } }],
    ["EnterPlanMode", { tool: "EnterPlanMode", input: {}, options: { tools: ["EnterPlanMode"] } }],
    ["ExitPlanMode", { tool: "ExitPlanMode", input: { plan: "p" }, options: { tools: ["ExitPlanMode"] } }],
    ["AskUserQuestion", { tool: "AskUserQuestion", input: { questions: [QUESTION] } }],
  ]);
}
