import { describe, expect, it } from "vitest";
import { tool } from "../../tools/index.ts";
import { testPolicy } from "./test-policy.ts";
import type { PolicyCase } from "./types.ts";

const CASE: PolicyCase = {
  id: "one",
  mode: "default",
  cwd: "/w/app",
  call: { tool: "Bash", input: { command: "git push" } },
  want: "deny",
  settings: { project: { permissions: { deny: ["Bash(git push:*)"] } } },
};
const over = (fields: object): PolicyCase => ({ ...CASE, ...fields });
const call = (name: string, input: object): object => ({ call: { tool: name, input } });
const bash = (command: string): object => call("Bash", { command });

/** What one case comes to. */
async function got(fields: object): Promise<string> {
  const { failed } = await testPolicy([over({ settings: {}, ...fields, want: "allow" })]);
  return failed[0]?.got ?? "allow";
}

describe("testPolicy", () => {
  it("counts, and tells what came to something else, with the reason", async () => {
    const report = await testPolicy([
      CASE,
      over({ id: "two", want: "ask|deny" }),
      over({ id: "three", want: "allow|ask" }),
    ]);
    expect(report).toEqual({
      total: 3,
      passed: 2,
      failed: [
        {
          id: "three",
          want: "allow|ask",
          got: "deny",
          reason: expect.stringContaining(
            "The deny rule Bash(git push:*) (projectSettings, settings.project",
          ),
        },
      ],
    });
    expect(await testPolicy([])).toEqual({ total: 0, passed: 0, failed: [] });
  });

  it.each([
    [
      "a link, followed on the case's own disk",
      { fs: { "/w/app/x": "-> /etc/passwd" }, ...call("Read", { file_path: "x" }) },
      "ask",
    ],
    ["no disk else", call("Read", { file_path: "package.json" }), "allow"],
    ["git where the project root has its repository", bash("git status"), "allow"],
    ["git in a workspace that is not trusted", { ...bash("git status"), trusted: false }, "ask"],
    [
      "a home of its own",
      { home: "/home/ada", ...call("Read", { file_path: "~/x" }), options: { additionalDirectories: ["~"] } },
      "allow",
    ],
    [
      "the project root above",
      {
        cwd: "/w/app/sub",
        fs: { "/w/app/.castellan/x": "" },
        settings: { project: { permissions: { deny: ["Read(/.env)"] } } },
        ...call("Read", { file_path: "/w/app/.env" }),
      },
      "deny",
    ],
    ["the danger flag, as if it were given", { mode: "bypassPermissions", ...bash("make") }, "allow"],
    ["yolo", { mode: "yolo", ...bash("make") }, "allow"],
    [
      "a disabled bypass",
      {
        mode: "bypassPermissions",
        settings: { policy: { disableBypassPermissionsMode: "disable" } },
        ...bash("make"),
      },
      "ask",
    ],
    [
      "plan mode with the danger flag",
      { mode: "plan", ...call("WebFetch", { url: "https://x.org/", prompt: "x" }) },
      "allow",
    ],
    [
      "plan mode under a disabled bypass",
      {
        mode: "plan",
        settings: { user: { permissions: { disableBypassPermissionsMode: true } } },
        ...call("WebFetch", { url: "https://x.org/", prompt: "x" }),
      },
      "ask",
    ],
    ["dontAsk, turned", { mode: "dontAsk", ...bash("make") }, "deny"],
    [
      "questions turned down by a setting",
      { settings: { local: { permissions: { denyInsteadOfPrompting: true } } }, ...bash("make") },
      "deny",
    ],
    [
      "questions turned down, under the ceiling",
      {
        mode: "plan",
        settings: {
          local: { denyInsteadOfPrompting: true },
          user: { permissions: { allow: ["Bash(make)"] } },
        },
        ...bash("make"),
      },
      "deny",
    ],
    ["an option's rule", { options: { allowedTools: ["Bash(make)"] }, ...bash("make") }, "allow"],
    [
      "a tool that a bare deny removes",
      { options: { disallowedTools: ["Read"] }, ...call("Read", { file_path: "x" }) },
      "deny",
    ],
    [
      "managed rules alone",
      {
        settings: { policy: { allowManagedPermissionRulesOnly: true } },
        options: { allowedTools: ["Bash(make)"] },
        ...bash("make"),
      },
      "ask",
    ],
    [
      "an allow of a project that is not trusted",
      { trusted: false, settings: { project: { permissions: { allow: ["Bash(make)"] } } }, ...bash("make") },
      "ask",
    ],
    ["a tool of a server that is not connected", call("mcp__any__thing", { x: 1 }), "ask"],
    [
      "the ambiguous name of a server's tool, by the configured key",
      {
        settings: { user: { mcpServers: { a__b: {} }, permissions: { allow: ["mcp__a__b"] } } },
        ...call("mcp__a__b__c", {}),
      },
      "allow",
    ],
    ["an alias", call("Task", { description: "x", prompt: "x" }), "allow"],
    ["a call that needs a person", call("ExitPlanMode", { plan: "x" }), "ask"],
    ["a value that the tool refuses", call("WebFetch", { url: "file:///etc/passwd", prompt: "x" }), "deny"],
  ] as const)("decides with %s", async (_, fields, want) => {
    expect(await got(fields)).toBe(want);
  });

  it("runs no tool and no hook, but a tool's own check", async () => {
    let ran = 0;
    const deploy = tool("deploy", "Deploys.", {}, () => ({ content: [{ type: "text", text: `${ran++}` }] }), {
      checkPermissions: () => ({ behavior: "deny", message: "Not today." }),
    });
    const report = await testPolicy([over({ ...call("deploy", {}), want: "allow" })], { tools: [deploy] });
    expect(report.failed).toMatchObject([{ got: "deny", reason: expect.stringContaining("Not today.") }]);
    expect(ran).toBe(0);
  });

  it("passes no case whose input names the wrong keys, whatever it wants", async () => {
    const { failed } = await testPolicy([
      over({ ...call("Bash", { comand: "x" }) }),
      over({ id: "two", ...call("Bash", {}) }),
    ]);
    expect(failed.map(({ got, reason }) => [got, reason])).toEqual([
      ["invalid", "The input of Bash has no key comand. Did you mean command?"],
      ["invalid", "The input of Bash needs the key command."],
    ]);
  });

  it.each([
    [over({ mode: "defualt" }), 'cases[0]: mode is "defualt". It must be one of "default",'],
    [over({ mode: "auto" }), 'cases[0]: mode is "auto".'],
    [over({ modes: "x" }), "cases[0]: a case has no key modes. Did you mean mode?"],
    [over({ want: undefined }), "cases[0]: want is missing. Every case needs it."],
    [over({ want: "denied" }), 'cases[0]: want is "denied". It must be "allow", "ask" or "deny"'],
    [over({ want: "deny|" }), 'cases[0]: want is "deny|".'],
    [over({ cwd: "app" }), 'cases[0]: cwd is "app". It must be an absolute path.'],
    [over({ fs: { "/x": 1 } }), "cases[0]: fs./x is 1."],
    [over({ trusted: "yes" }), 'cases[0]: trusted is "yes".'],
    [over({ call: { tool: "Bash" } }), "cases[0]: call is an object."],
    [over({ call: { tool: "Bash", input: "ls" } }), 'cases[0]: call.input is "ls".'],
    [
      over(call("Bsh", { command: "x" })),
      'cases[0]: call.tool is "Bsh": there is no such tool. Did you mean Bash?',
    ],
    [over(call("mcp__srv", {})), 'cases[0]: call.tool is "mcp__srv": there is no such tool.'],
    [over(call("__proto__", {})), "there is no such tool"],
    [over({ settings: { projct: {} } }), "cases[0]: settings.projct is"],
    [over({ settings: { user: { permissions: { alow: [] } } } }), "cases[0]: settings.user.permissions.alow"],
    [over({ settings: { user: { permissions: { deny: 1 } } } }), "cases[0]: settings.user.permissions.deny"],
    [
      over({ settings: { policy: { permissions: { deny: ["Bash(x"] } } } }),
      "cases[0]: settings: The rule Bash(x",
    ],
    [over({ options: { allowTools: [] } }), "cases[0]: options.allowTools is"],
    ["x", 'cases[0]: it is "x". A case is an object with id, mode, cwd, call, want.'],
  ])("refuses %j", async (each, says) => {
    const run = testPolicy([each as PolicyCase]);
    await expect(run).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining(says),
    });
  });

  it("refuses an id that another case has, and says where in the caller's words", async () => {
    const where = (index: number): string => `policy.jsonl, line ${index + 7}`;
    await expect(testPolicy([CASE, CASE], { where })).rejects.toThrow(
      'policy.jsonl, line 8: id is "one", which policy.jsonl, line 7 has too. Give each case a name of its own.',
    );
  });
});
