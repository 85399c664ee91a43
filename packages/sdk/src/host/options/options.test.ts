import { promises } from "node:fs";
import { describe, expect, it } from "vitest";
import { isCastellanError } from "../../protocol/index.ts";
import { memoryStore } from "../../sessions/index.ts";
import { tool } from "../../tools/index.ts";
import { createHost } from "../host.ts";
import { parseOptions } from "./parse.ts";

const hammer = tool("hammer", "Hits.", {}, () => ({ content: [] }), { aliases: ["mallet"] });
const read = tool("Read", "Reads otherwise.", {}, () => ({ content: [] }));
const model = { id: "m", provider: "p", stream: () => [] };
const uuid = "0199a0b0-0000-7000-8000-000000000001";
const hook = () => ({});
const without = (store: object, key: string) => ({ ...store, [key]: undefined });

/** Options, and then what the error must tell: the option's place, the value, the fix. */
type Row = readonly [options: unknown, place: RegExp, value: RegExp, fix: RegExp];

const wrongKeys: readonly Row[] = [
  [{ maxTurn: 5 }, /options\.maxTurn /, /not an option/, /Did you mean maxTurns\?/],
  [{ modle: "x" }, /options\.modle/, /not an option/, /model/],
  [{ canUseTools: hook }, /options\.canUseTools/, /not an option/, /canUseTool\?/],
  [{ permissionsMode: "plan" }, /options\.permissionsMode/, /not an option/, /permissionMode\?/],
  [{ zzzzzzzzzzzzz: 1 }, /options\.zzz/, /not an option/, /Known options: .*maxTurns/],
  [JSON.parse('{"__proto__": 1}'), /options\.__proto__/, /not an option/, /Known options/],
  [{ constructor: 1 }, /options\.constructor/, /not an option/, /Known options|Did you mean/],
  [{ allowed_tools: ["Read"] }, /options\.allowed_tools/, /not an option/, /Did you mean allowedTools\?/],
  [{ permission_mode: "plan" }, /options\.permission_mode/, /not an option/, /permissionMode\?/],
  [{ can_use_tool: hook }, /options\.can_use_tool/, /not an option/, /canUseTool\?/],
  [{ max_turns: 1 }, /options\.max_turns/, /not an option/, /maxTurns\?/],
  [{ system_prompt: "x" }, /options\.system_prompt/, /not an option/, /systemPrompt\?/],
  [{ mcp_servers: {} }, /options\.mcp_servers/, /not an option/, /Did you mean mcpServers\?/],
  [{ maxThinkingTokens: 1 }, /options\.maxThinkingTokens/, /not an option/, /Did you mean thinking\?/],
  [{ add_dirs: ["x"] }, /options\.add_dirs/, /not an option/, /additionalDirectories\?/],
  [{ continue_conversation: true }, /continue_conversation/, /not an option/, /Did you mean continue\?/],
  [{ setting_sources: [] }, /options\.setting_sources/, /no option|not an option/, /settingSources/],
  [
    { settingSources: ["projects"] },
    /options\.settingSources\[0\]/,
    /"projects"/,
    /"user", "project", "local"/,
  ],
  [{ strict_mcp_config: true }, /strict_mcp_config/, /spelled strictMcpConfig.*not supported/, /Remove it/],
  [{ plugins: {} }, /options\.plugins/, /not supported/, /docs\/limitations\.md/],
  [{ agents: {} }, /options\.agents/, /not supported/, /Remove it/],
  [{ classifier: "m" }, /options\.classifier/, /not supported/, /Remove it/],
  [{ skills: [] }, /options\.skills/, /not supported/, /Remove it/],
  [{ sandbox: {} }, /options\.sandbox/, /not supported/, /Remove it/],
];

const wrongValues: readonly Row[] = [
  [null, /options/, /null/, /object/],
  ["plan", /options/, /"plan"/, /object/],
  [[], /options/, /an empty list/, /object/],
  [{ model: "" }, /options\.model/, /is ""/, /non-empty/],
  [{ model: 7 }, /options\.model/, /is 7/, /model name, a model of the AI SDK, or an object/],
  [{ model: {} }, /options\.model/, /an object/, /stream/],
  [{ model: { ...model, id: "" } }, /options\.model\.id/, /is ""/, /non-empty/],
  [{ model: { doStream: hook } }, /options\.model\.specificationVersion/, /AI SDK/, /v2, v3 or v4/],
  [{ systemPrompt: 1 }, /options\.systemPrompt/, /is 1/, /preset/],
  [{ systemPrompt: ["a", 2] }, /options\.systemPrompt\[1\]/, /is 2/, /a string/],
  [{ systemPrompt: { append: "x" } }, /options\.systemPrompt/, /an object/, /type is missing/],
  [{ systemPrompt: { type: "preset", preset: "mine" } }, /systemPrompt\.preset/, /"mine"/, /"default"/],
  [{ appendSystemPrompt: 5 }, /options\.appendSystemPrompt/, /is 5/, /a string/],
  [{ maxTurns: 0 }, /options\.maxTurns/, /is 0/, /at least 1/],
  [{ maxTurns: 1.5 }, /options\.maxTurns/, /is 1\.5/, /whole number/],
  [{ maxTurns: "3" }, /options\.maxTurns/, /is "3"/, /whole number/],
  [{ maxTurns: Number.NaN }, /options\.maxTurns/, /is NaN/, /whole number/],
  [{ includePartialMessages: "true" }, /options\.includePartialMessages/, /is "true"/, /without quotes/],
  [{ tools: "Read" }, /options\.tools/, /is "Read"/, /Write \["Read"\]/],
  [{ tools: [7] }, /options\.tools\[0\]/, /is 7/, /tool\(\)/],
  [{ tools: ["Reed"] }, /options\.tools\[0\]/, /is "Reed"/, /Did you mean Read\?/],
  [{ tools: ["toString"] }, /options\.tools\[0\]/, /is "toString"/, /one of .*Bash/],
  [{ tools: [{ name: "x", handler: hook }] }, /options\.tools\[0\]/, /an object/, /made by tool\(\)/],
  [{ tools: [hammer, hammer] }, /options\.tools\[1\]/, /called "hammer"/, /Rename/],
  [{ tools: [read] }, /options\.tools\[0\]/, /called "Read"/, /Rename/],
  [{ tools: { type: "preset", preset: "all" } }, /options\.tools\.preset/, /"all"/, /"default"/],
  [{ tools: { preset: "default" } }, /options\.tools/, /an object/, /type is missing/],
  [{ allowedTools: "Read" }, /options\.allowedTools/, /is "Read"/, /Write \["Read"\]/],
  [{ allowedTools: [hammer] }, /options\.allowedTools\[0\]/, /a tool/, /Put the tool itself into `tools`/],
  [{ allowedTools: ["Read", " "] }, /options\.allowedTools\[1\]/, /is " "/, /non-empty/],
  [{ disallowedTools: [null] }, /options\.disallowedTools\[0\]/, /is null/, /non-empty string/],
  [{ permissionMode: "Plan" }, /options\.permissionMode/, /is "Plan"/, /"plan"/],
  [{ permissionMode: "auto" }, /options\.permissionMode/, /is "auto"/, /classifier/],
  [{ permissionMode: "bubble" }, /options\.permissionMode/, /is "bubble"/, /Only the runtime/],
  [{ allowDangerouslySkipPermissions: 1 }, /options\.allowDangerouslySkip/, /is 1/, /true or false/],
  [{ planMode: "hard" }, /options\.planMode/, /is "hard"/, /"ceiling"/],
  [{ canUseTool: true }, /options\.canUseTool/, /is true/, /a function/],
  [{ canUseTool: hook, canUseToolScope: "all" }, /options\.canUseToolScope/, /is "all"/, /"every-call"/],
  [{ canUseTool: hook, canUseToolTimeoutMs: 0 }, /options\.canUseToolTimeoutMs/, /is 0/, /from 1/],
  [{ canUseTool: hook, canUseToolTimeoutMs: 2 ** 31 }, /TimeoutMs/, /2147483648/, /to 2147483647/],
  [{ additionalDirectories: "/tmp" }, /options\.additionalDirectories/, /is "\/tmp"/, /Write \["\/tmp"\]/],
  [{ trustWorkspace: "yes" }, /options\.trustWorkspace/, /is "yes"/, /true or false/],
  [{ settings: " " }, /options\.settings/, /" "/, /a non-empty string/],
  [{ settings: 1 }, /options\.settings/, /is 1/, /path of a file/],
  [{ settings: { allowManagedPermissionRulesOnly: true } }, /OnlyX?/, /true/, /managedSettings/],
  [
    { settings: { permissions: { rules: [{ rule: "Edit" }] } } },
    /rules\[0\]/,
    /an object/,
    /behavior is missing/,
  ],
  [{ managedSettings: "file" }, /options\.managedSettings/, /"file"/, /an object/],
  [{ compat: ["cursor"] }, /options\.compat\[0\]/, /"cursor"/, /"claude", "qoder"/],
  [{ permissionRules: [{ rule: "Edit", behavior: "no" }] }, /Rules\[0\]\.behavior/, /"no"/, /"allow"/],
  [{ settings: { permission: {} } }, /options\.settings\.permission /, /no key/, /permissions/],
  [
    { settings: { permissions: { allow: "Read" } } },
    /settings\.permissions\.allow/,
    /"Read"/,
    /Write \["Read"\]/,
  ],
  [{ settings: { permissions: { deny: [3] } } }, /settings\.permissions\.deny\[0\]/, /is 3/, /string/],
  [{ hooks: [] }, /options\.hooks/, /empty list/, /PreToolUse/],
  [{ hooks: { PreTool: [] } }, /hooks\.PreTool /, /no hook event/, /PreToolUse/],
  [{ hooks: { SessionStart: [] } }, /hooks\.SessionStart /, /does not fire/, /Leave it out/],
  [{ hooks: { PreToolUse: hook } }, /hooks\.PreToolUse /, /no list/, /a list/],
  [{ includeHookEvents: "yes" }, /options\.includeHookEvents/, /"yes"/, /true or false/],
  [{ hooks: { PreToolUse: [{ hook }] } }, /hooks\.PreToolUse\[0\]\.hook /, /not known/, /"hooks"/],
  [
    { hooks: { PreToolUse: [{ hooks: [1] }] } },
    /hooks\.PreToolUse\[0\]\.hooks\[0\]/,
    /is 1/,
    /Give a function/,
  ],
  [{ hooks: { PreToolUse: [{ hooks: [hook], timeout: -1 }] } }, /timeout/, /is -1/, /seconds/],
  [{ cwd: " " }, /options\.cwd/, /is " "/, /non-empty/],
  [{ env: { A: 1 } }, /options\.env\.A/, /is 1/, /string without NUL/],
  [{ env: { A: "se\0cret" } }, /options\.env\.A/, /with a NUL in it/, /without NUL/],
  [{ sessionId: "mine" }, /options\.sessionId/, /is "mine"/, /UUID/],
  [{ resume: "" }, /options\.resume/, /is ""/, /non-empty/],
  [{ resume: true }, /options\.resume/, /is true/, /string/],
  [{ continue: "yes" }, /options\.continue/, /is "yes"/, /true or false/],
  [{ continue: true, forkSession: "yes" }, /options\.forkSession/, /is "yes"/, /true or false/],
  [{ sessionStore: {} }, /options\.sessionStore/, /an object/, /lacks the methods append, read/],
  [{ sessionStore: without(memoryStore(), "list") }, /sessionStore/, /an object/, /lacks the method list\./],
  [{ title: 5 }, /options\.title/, /is 5/, /a string/],
  [{ abortController: new AbortController().signal }, /options\.abortController/, /object/, /not its signal/],
  [{ abortController: {} }, /options\.abortController/, /an object/, /an AbortController/],
  [{ platform: { clok: {} } }, /options\.platform\.clok/, /no key/, /clock/],
  [{ platform: { clock: {} } }, /options\.platform\.clock/, /an object/, /lacks the methods now/],
  [{ platform: { fs: promises } }, /options\.platform\.fs/, /an object/, /lacks the methods openSync, write/],
  [{ stderr: "file" }, /options\.stderr/, /is "file"/, /a function/],
  [{ debug: 10n }, /options\.debug/, /is bigint 10/, /true or false/],
];

const wrongTogether: readonly Row[] = [
  [{ permissionMode: "yolo" }, /options\.permissionMode/, /"yolo"/, /allowDangerouslySkipPermissions: true/],
  [{ permissionMode: "bypassPermissions" }, /permissionMode/, /"bypassPermissions"/, /choose another mode/],
  [
    { settings: { permissions: { defaultMode: "yolo" } } },
    /settings\.permissions\.defaultMode/,
    /"yolo"/,
    /true/,
  ],
  [{ resume: uuid, continue: true }, /options\.resume.*options\.continue/, /true/, /not both/],
  [
    { resume: uuid, sessionId: uuid },
    /options\.resume.*options\.sessionId/,
    /0199a0b0/,
    /leave sessionId out/,
  ],
  [
    { continue: true, sessionId: uuid },
    /options\.continue.*options\.sessionId/,
    /true/,
    /leave sessionId out/,
  ],
  [{ forkSession: true }, /options\.forkSession/, /true/, /Name one with resume/],
  [{ forkSession: true, continue: false }, /options\.forkSession/, /true/, /newest with continue/],
  [{ persistSession: false, resume: uuid }, /persistSession.*resume/, /false/, /leave one of them out/],
  [{ persistSession: false, continue: true }, /persistSession.*continue/, /false/, /leave one of them out/],
  [
    { persistSession: false, sessionStore: memoryStore() },
    /persistSession.*sessionStore/,
    /false/,
    /or the store/,
  ],
  [{ canUseToolScope: "ask" }, /options\.canUseToolScope/, /"ask"/, /Add canUseTool/],
  [{ canUseToolTimeoutMs: 5 }, /options\.canUseToolTimeoutMs/, /is 5/, /Add canUseTool/],
];

function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

function expectRefused(error: unknown, [, place, value, fix]: Row): void {
  if (!isCastellanError(error, "invalid_option"))
    throw new Error(`Not refused as it should be: ${String(error)}`);
  expect(error.message).toMatch(place);
  expect(error.message).toMatch(value);
  expect(error.fix).toMatch(fix);
  expect(error.message).toContain(error.fix);
  expect(error.subject).toMatch(/\S/);
}

describe("options that cannot be right", () => {
  const host = createHost({ store: memoryStore() });

  it.each([...wrongKeys, ...wrongValues, ...wrongTogether])("%o", (...row: Row) => {
    expectRefused(
      errorOf(() => parseOptions(row[0])),
      row,
    );
    // The same at the door, before anything runs.
    expectRefused(
      errorOf(() => host.query({ prompt: "go", options: row[0] as never })),
      row,
    );
  });

  it("never shows the value of a key that it does not know: it may be a secret", () => {
    const error = errorOf(() => parseOptions({ apiKeyy: "sk-very-secret" }));
    expect(String(error)).not.toContain("secret");
    const long = errorOf(() => parseOptions({ permissionMode: "x".repeat(1_000) }));
    expect(String(long).length).toBeLessThan(400);
  });
});

describe("options that are right", () => {
  it.each<[unknown]>([
    [undefined],
    [{}],
    [{ model, maxTurns: 1, tools: [], allowedTools: [], env: { A: undefined, B: "" } }],
    [{ tools: ["Read", hammer, "mallet", "mcp__x__y"] }],
    [{ tools: { type: "preset", preset: "default" }, systemPrompt: { type: "preset", append: "x" } }],
    [
      {
        tools: { type: "preset", preset: "claude_code" },
        systemPrompt: { type: "preset", preset: "claude_code" },
      },
    ],
    [{ maxTurns: undefined, permissionMode: undefined, hooks: { PreToolUse: undefined } }],
    [{ permissionMode: "yolo", allowDangerouslySkipPermissions: true }],
    [{ continue: false, sessionId: uuid, persistSession: true, sessionStore: memoryStore() }],
    [
      {
        abortController: new AbortController(),
        hooks: { PreToolUse: [{ matcher: "Edit|Write", hooks: [hook] }] },
      },
    ],
    [{ canUseTool: hook, canUseToolScope: "every-call", canUseToolTimeoutMs: 2 ** 31 - 1 }],
  ])("%o", (options) => {
    expect(parseOptions(options).warnings).toEqual([]);
  });

  it("leaves out what is undefined, and compiles the hooks", () => {
    const { options, hooks } = parseOptions({
      maxTurns: undefined,
      hooks: { PreToolUse: [{ hooks: [hook] }] },
    });
    expect(Object.keys(options)).toEqual(["hooks"]);
    expect(hooks.has("PreToolUse")).toBe(true);
    expect(hooks.has("PostToolUse")).toBe(false);
  });

  it("warns once of each key that only means something where another process runs", () => {
    const { options, warnings } = parseOptions({ executable: "node", extraArgs: {}, betas: [], maxTurns: 2 });
    expect(options).toEqual({ maxTurns: 2 });
    expect(warnings).toHaveLength(3);
    for (const [at, key] of ["executable", "extraArgs", "betas"].entries()) {
      expect(warnings[at]).toContain(`options.${key} has no effect`);
    }
  });
});

describe("the argument of query()", () => {
  const host = createHost({ store: memoryStore() });
  const list = [{ type: "user" }];

  it.each<readonly [unknown, RegExp, RegExp]>([
    [undefined, /undefined/, /Give \{ prompt, options\? \}/],
    ["hello", /"hello"/, /Write query\(\{ prompt: "hello" \}\)/],
    [{}, /prompt is undefined/, /async generator/],
    [{ prompt: 7 }, /prompt is 7/, /string or an async iterable/],
    [{ prompt: null }, /prompt is null/, /string or an async iterable/],
    [{ prompt: list }, /prompt is a list of 1/, /Wrap the list/],
    [{ prompt: { [Symbol.asyncIterator]: 1 } }, /prompt is an object/, /async generator/],
    [{ prompt: "" }, /prompt is ""/, /options\.resume/],
    [{ prompt: "go", maxTurns: 1 }, /no parameter maxTurns/, /options: \{ maxTurns: … \}/],
  ])("%o is refused", (params, what, fix) => {
    const error = errorOf(() => host.query(params as never));
    expect(isCastellanError(error, "invalid_option")).toBe(true);
    expect(error).toMatchObject({ message: expect.stringMatching(what), fix: expect.stringMatching(fix) });
  });
});

describe("the options of createHost()", () => {
  it.each<readonly [unknown, RegExp, RegExp]>([
    [null, /null/, /an object/],
    ["x", /"x"/, /an object/],
    [
      { stor: memoryStore() },
      /no option stor/,
      /store, artifacts, platform, models, policy, redact, durability, worker, limits/,
    ],
    [{ store: {} }, /store is an object/, /lacks the methods append/],
    [{ artifacts: { put: hook } }, /artifacts is an object/, /get, delete, list/],
    [{ platform: { clok: 1 } }, /platform\.clok/, /clock/],
    [{ limits: 3 }, /limits is 3/, /toolConcurrency/],
    [{ limits: { subagents: 2 } }, /limits\.subagents/, /toolConcurrency/],
    [{ limits: { toolConcurrency: 0 } }, /limits\.toolConcurrency is 0/, /from 1 to 100/],
    [{ limits: { toolConcurrency: 101 } }, /is 101/, /from 1 to 100/],
  ])("%o is refused", (options, what, fix) => {
    const error = errorOf(() => createHost(options as never));
    expect(isCastellanError(error, "invalid_option")).toBe(true);
    expect(error).toMatchObject({ message: expect.stringMatching(what), fix: expect.stringMatching(fix) });
  });
});
