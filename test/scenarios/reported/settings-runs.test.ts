import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Options, PermissionUpdate } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { nodePlatform } from "../../../packages/sdk/src/platform/index.ts";
import { trust } from "../../../packages/sdk/src/settings/index.ts";
import { type Outcome, once, run, scratch } from "../../kit/session.ts";

// Whole sessions that read and write settings files.

/** A project with a home of its own, and files in them: `~/…` or relative to the project. */
function place(files: Readonly<Record<string, unknown>> = {}): {
  readonly cwd: string;
  readonly home: string;
  readonly options: Options;
} {
  const root = scratch();
  const [cwd, home] = [join(root, "prj"), join(root, "home")];
  for (const each of [cwd, home]) mkdirSync(each);
  for (const [name, value] of Object.entries(files)) {
    const path = name.startsWith("~/") ? join(home, name.slice(2)) : join(cwd, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  }
  return { cwd, home, options: { cwd, platform: { homedir: () => home } } };
}

const json = (...path: string[]) => JSON.parse(readFileSync(join(...path), "utf8"));
const touch = (name: string) => once("Bash", { command: `touch ${name}` });

function initOf({ messages }: Outcome) {
  const [init] = messages;
  if (init?.type !== "system" || init.subtype !== "init") throw new Error("No init message.");
  return init;
}

describe("C273: which settings files a session reads", () => {
  const marker = (name: string) => ({ permissions: { allow: [`Bash(touch ${name})`] } });
  const files = {
    "~/.castellan/settings.json": marker("user"),
    ".castellan/settings.json": marker("project"),
    ".castellan/settings.local.json": marker("local"),
    "../.castellan/settings.json": marker("above"),
    "~/.claude/settings.json": marker("other"),
    ".claude/settings.json": marker("other"),
  };
  const names = ["user", "project", "local", "above", "other"];

  it.each<[Options["settingSources"], readonly string[]]>([
    [["project"], ["project"]],
    [["user"], ["user"]],
    [
      ["local", "user"],
      ["user", "local"],
    ],
    [[], []],
    [undefined, []],
  ])("with %j they are %j", async (settingSources, read) => {
    const made: string[] = [];
    for (const name of names) {
      const { cwd, options } = place(files);
      const sources = settingSources === undefined ? {} : { settingSources };
      await run(touch(name), { ...options, ...sources, trustWorkspace: true });
      if (existsSync(join(cwd, name))) made.push(name);
    }
    expect(made).toEqual(read);
  });
});

describe("C272: the mode of settings files", () => {
  const files = { "~/.castellan/settings.json": { permissions: { defaultMode: "plan" } } };

  it("is the session's where the options name none", async () => {
    const { cwd, options } = place(files);
    const seen = await run(once("Write", { file_path: join(cwd, "a"), content: "x" }), {
      ...options,
      settingSources: ["user"],
    });
    expect(initOf(seen).permissionMode).toBe("plan");
    expect(seen.texts.join()).toMatch(/plan/i);
    expect(existsSync(join(cwd, "a"))).toBe(false);
  });

  it("yields to the mode of the options, also to `default`", async () => {
    for (const permissionMode of ["default", "acceptEdits"] as const) {
      const { options } = place(files);
      const seen = await run(["done"], { ...options, settingSources: ["user"], permissionMode });
      expect(initOf(seen).permissionMode).toBe(permissionMode);
    }
    expect(initOf(await run(["done"], place(files).options)).permissionMode).toBe("default");
  });
});

describe("C237: a project that brings hooks, servers and rules", () => {
  const settings = {
    hooks: { SessionStart: [{ hooks: [{ type: "command", command: "touch HOOK" }] }] },
    permissions: { allow: ["Bash(*)"], defaultMode: "bypassPermissions" },
    env: { BASH_ENV: "./run" },
    mcpServers: { own: { command: "touch", args: ["SERVER"] } },
  };
  const files = {
    ".castellan/settings.json": settings,
    ".claude/settings.json": settings,
    ".mcp.json": { mcpServers: { x: { command: "touch", args: ["SERVER"] } } },
    run: "touch VARIABLE",
  };

  it.each<Options["settingSources"]>([undefined, [], ["project"], ["user", "project", "local"]])(
    "runs nothing of it before somebody trusts it: %j",
    async (settingSources) => {
      const { cwd, options } = place(files);
      const sources = settingSources === undefined ? {} : { settingSources };
      const seen = await run(touch("CALL"), { ...options, ...sources });
      for (const name of ["HOOK", "SERVER", "VARIABLE", "CALL"])
        expect(existsSync(join(cwd, name)), name).toBe(false);
      expect(initOf(seen)).toMatchObject({ permissionMode: "default", mcp_servers: [] });
      expect(seen.result.permission_denials).toHaveLength(1);
    },
  );

  it("gives no bypass where it is trusted either, and its rules count", async () => {
    for (const trusted of [{ trustWorkspace: true }, {}]) {
      const { cwd, home, options } = place(files);
      if (!("trustWorkspace" in trusted)) await trust({ platform: nodePlatform(), home, projectRoot: cwd });
      const seen = await run(touch("CALL"), { ...options, settingSources: ["project"], ...trusted });
      expect(initOf(seen).permissionMode).toBe("default");
      expect(existsSync(join(cwd, "CALL"))).toBe(true);
    }
  });
});

describe("a grant that a callback gives", () => {
  const run2 = async (at: ReturnType<typeof place>, update: PermissionUpdate, path: string) => {
    let asked = 0;
    const outcome = await run(
      [
        { toolCalls: [{ name: "Read", input: { file_path: path } }] },
        { toolCalls: [{ name: "Read", input: { file_path: path } }] },
        "done",
      ],
      {
        ...at.options,
        settingSources: ["user", "project", "local"],
        trustWorkspace: true,
        canUseTool: () => {
          asked += 1;
          return { behavior: "allow", updatedPermissions: [update] };
        },
      },
    );
    return { asked, ...outcome };
  };

  it("C042: is written into a file that was not there, and holds for the next call and the next session", async () => {
    const at = place({ "../ref/a": "text" });
    const folder = join(at.cwd, "..", "ref");
    const update = { type: "addDirectories", directories: [folder], destination: "localSettings" } as const;
    expect((await run2(at, update, join(folder, "a"))).asked).toBe(1);
    expect(json(at.cwd, ".castellan/settings.local.json")).toEqual({
      permissions: { additionalDirectories: [folder] },
    });
    expect((await run2(at, update, join(folder, "a"))).asked).toBe(0);
  });

  it("C043: into the shared file only where that is named", async () => {
    for (const [destination, name] of [
      ["projectSettings", "settings.json"],
      ["localSettings", "settings.local.json"],
      ["session", undefined],
    ] as const) {
      const at = place({ "../ref/a": "text" });
      const path = join(at.cwd, "..", "ref", "a");
      const rules = [{ toolName: "Read", ruleContent: `/${path}` }];
      expect((await run2(at, { type: "addRules", behavior: "allow", rules, destination }, path)).asked).toBe(
        1,
      );
      for (const file of ["settings.json", "settings.local.json"])
        expect(existsSync(join(at.cwd, ".castellan", file)), destination).toBe(file === name);
    }
  });

  it("C044: two at once are both there, beside what was there", async () => {
    const own = { permissions: { allow: ["mcp__crm__*"] }, env: { LEVEL: "2" }, ownKey: 1 };
    const at = place({ ".castellan/settings.local.json": own });
    const call = (name: string) => ({ name: "Bash", input: { command: `touch ${name}` } });
    await run([{ toolCalls: [call("a"), call("b")] }, "done"], {
      ...at.options,
      settingSources: ["local"],
      trustWorkspace: true,
      canUseTool: (toolName, { command }) => ({
        behavior: "allow",
        updatedPermissions: [
          {
            type: "addRules",
            behavior: "allow",
            rules: [{ toolName, ruleContent: String(command) }],
            destination: "localSettings",
          },
        ],
      }),
    });
    const after = json(at.cwd, ".castellan/settings.local.json");
    expect(after).toMatchObject({ env: own.env, ownKey: 1 });
    expect(after.permissions.allow.toSorted()).toEqual(["Bash(touch a)", "Bash(touch b)", "mcp__crm__*"]);
  });
});

describe("C001: a deny of a settings file", () => {
  it("counts at the first call, before anything was read again", async () => {
    const at = place({
      "~/.castellan/settings.json": { permissions: { allow: ["Read"], deny: ["Read(*/.secrets*)"] } },
      "api/.secrets": "k3y-c001",
    });
    const path = join(at.cwd, "api/.secrets");
    const seen = await run(once("Read", { file_path: path }), { ...at.options, settingSources: ["user"] });
    expect(seen.texts.join()).not.toContain("k3y-c001");
    expect(seen.texts.join()).toContain("Read(*/.secrets*)");
    expect((await run(once("Read", { file_path: path }), at.options)).texts.join()).toContain("k3y-c001");
  });
});
