import { describe, expect, it } from "vitest";
import { type ResolveOptions, resolveSettings } from "./host/index.ts";
import {
  type CheckOptions,
  check,
  explain,
  fixSettings,
  type LintOptions,
  lint,
  listRules,
  type RevokeOptions,
  revoke,
  type TestPolicyOptions,
  type TrustOptions,
  testPolicy,
  trustWorkspace,
} from "./permissions-entry.ts";

const CALL = { tool: "Bash", input: { command: "ls" } };

/** Every option of a type: none may be forgotten. */
type Keys<Options> = { readonly [K in keyof Required<Options>]: true };

const CHECK: Keys<CheckOptions> = {
  settings: true,
  settingSources: true,
  compat: true,
  allowedTools: true,
  disallowedTools: true,
  additionalDirectories: true,
  mode: true,
  avoidPrompts: true,
  cwd: true,
  home: true,
  trusted: true,
  tools: true,
  onFinding: true,
  platform: true,
};
const LINT: Keys<LintOptions> = {
  settings: true,
  settingSources: true,
  compat: true,
  cwd: true,
  home: true,
  tools: true,
  platform: true,
};
const REVOKE: Keys<RevokeOptions> = {
  from: true,
  behavior: true,
  compat: true,
  cwd: true,
  home: true,
  platform: true,
};
const TEST: Keys<TestPolicyOptions> = { where: true, tools: true };
const TRUST: Keys<TrustOptions> = { cwd: true, compat: true, remove: true, platform: true };
const RESOLVE: Keys<ResolveOptions> = {
  cwd: true,
  settingSources: true,
  compat: true,
  trustWorkspace: true,
  platform: true,
};

/** Whoever gives options past the types, as plain JavaScript may. */
type Call = (options: never) => Promise<unknown>;

const FUNCTIONS: readonly (readonly [name: string, keys: object, call: Call])[] = [
  ["check", CHECK, (options) => check(CALL, options)],
  ["explain", CHECK, (options) => explain(CALL, options)],
  ["listRules", CHECK, (options) => listRules(options)],
  ["lint", LINT, (options) => lint(options)],
  ["fixSettings", LINT, (options) => fixSettings(options)],
  ["revoke", REVOKE, (options) => revoke("Bash(ls)", options)],
  ["testPolicy", TEST, (options) => testPolicy([], options)],
  ["trustWorkspace", TRUST, (options) => trustWorkspace(options)],
  ["resolveSettings", RESOLVE, (options) => resolveSettings(options)],
];

async function refused(call: Call, options: unknown, says: string): Promise<void> {
  await expect(call(options as never), JSON.stringify(options)).rejects.toMatchObject({
    code: "invalid_option",
    message: expect.stringContaining(says),
    fix: expect.stringMatching(/./),
  });
}

describe.each(FUNCTIONS)("%s", (_, keys, call) => {
  it("refuses every option that is of another type", async () => {
    for (const key of Object.keys(keys)) await refused(call, { [key]: 0 }, `options.${key} is 0.`);
  });

  it.each(["cwdd", "__proto__x", "permissionMode"])("refuses the unknown option %s", async (key) => {
    await refused(call, { [key]: 1 }, `options.${key} is`);
  });

  it.each([null, "cwd", 1, [[]]])("refuses %j for options", async (options) => {
    await refused(call, options, "options is");
  });
});

describe("arguments", () => {
  it.each([
    [null, "call is null."],
    ["ls", 'call is "ls".'],
    [{ input: {} }, "Its tool is missing."],
    [{ tool: 1, input: {} }, "call.tool is 1."],
    [{ tool: "Bash" }, "Its input is missing."],
    [{ tool: "Bash", input: "ls" }, 'call.input is "ls".'],
    [{ tool: "Bash", input: {}, cwd: "/" }, "call.cwd is"],
  ])("refuses the call %j", async (call, says) => {
    for (const each of [check, explain] as readonly ((call: never) => Promise<unknown>)[]) {
      await expect(each(call as never)).rejects.toMatchObject({
        code: "invalid_option",
        message: expect.stringContaining(says),
      });
    }
  });

  it("refuses cases that are no list", async () => {
    await expect(testPolicy({} as never)).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining("cases is an object."),
    });
  });
});
