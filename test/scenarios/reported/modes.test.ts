import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HookCallback, Options, PermissionMode } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { type Call, judge } from "../../kit/judge.ts";
import { reported } from "../../kit/reported.ts";
import { once, run, scratch } from "../../kit/session.ts";

const edit = (file_path: string): Call => ["Edit", { file_path, old_string: "a", new_string: "b" }];
const write = (file_path: string): Call => ["Write", { file_path, content: "x" }];
const read = (file_path: string): Call => ["Read", { file_path }];

// What a mode lets through.
reported([
  {
    what: "C045: a start directory below a protected name is an ordinary one",
    under: { mode: "acceptEdits", cwd: "/prj/.claude/worktrees/fix" },
    allow: [
      edit("/prj/.claude/worktrees/fix/lib/a.ts"),
      write("/prj/.claude/worktrees/fix/new.ts"),
      "touch lib/b.ts",
      "mkdir -p lib/c",
    ],
    ask: [
      edit("/prj/.claude/worktrees/fix/.git/config"),
      write("/prj/.claude/worktrees/fix/.vscode/tasks.json"),
      edit("/prj/.claude/settings.json"),
      "touch .husky/pre-push",
    ],
    kept: true,
  },
  {
    what: "C045: so is one below .git",
    under: { mode: "acceptEdits", cwd: "/prj/.git/trees/x" },
    allow: [edit("/prj/.git/trees/x/a.ts"), write("/prj/.git/trees/x/lib/b.ts")],
    ask: [edit("/prj/.git/config"), write("/prj/.git/trees/x/.git/hooks/post-commit")],
    kept: true,
  },
  {
    what: "C046: what stays protected in acceptEdits",
    under: { mode: "acceptEdits" },
    allow: ["lib/a.ts", "github/a", ".gitignore", "docs/.hidden"].map((name) => edit(`/work/app/${name}`)),
    ask: [
      ...[
        ".git/hooks/post-checkout",
        ".husky/commit-msg",
        ".vscode/launch.json",
        ".idea/a.xml",
        ".claude/agents/a.md",
      ],
      ...[
        ".castellan/settings.json",
        ".Git/config",
        ".HUSKY/x",
        "lib/.git/config",
        ".github/workflows/ci.yml",
      ],
      ...[".envrc", ".npmrc", ".mcp.json", ".gitmodules", "../app/.git/config"],
    ].map((name) => edit(`/work/app/${name}`)),
    kept: true,
  },
  {
    what: "C046: outside, and where a rule says so, it asks or denies",
    under: { mode: "acceptEdits", ask: ["Edit(*.lock)"], deny: ["Edit(./gen/**)"] },
    allow: [edit("/work/app/lib/a.ts")],
    ask: [
      edit("/srv/a.ts"),
      edit("/work/app/deps.lock"),
      write("/work/app/lib/deps.lock"),
      "touch deps.lock",
    ],
    deny: [edit("/work/app/gen/a.ts"), "touch gen/a.ts"],
  },
  {
    what: "C048: an added directory counts in acceptEdits, by whole names",
    under: { mode: "acceptEdits", local: { additionalDirectories: ["/srv/docs"] } },
    allow: [
      write("/srv/docs/a.md"),
      edit("/srv/docs/deep/a.md"),
      "touch /srv/docs/b.md",
      "date > /srv/docs/day",
    ],
    ask: [
      write("/srv/docs2/a.md"),
      edit("/srv/a.md"),
      write("/srv/docs/../a.md"),
      "touch /srv/docs-old/b.md",
    ],
  },
  {
    what: "C209: so does one for passing files, of any layer",
    under: {
      mode: "acceptEdits",
      local: { additionalDirectories: ["/tmp"] },
      user: { additionalDirectories: ["/var/scratch/"] },
      fs: { "/private/var/a": "x", "/var/scratch": "-> /private/var" },
    },
    allow: [
      write("/tmp/note.md"),
      edit("/tmp/deep/note.md"),
      write("/var/scratch/b"),
      edit("/private/var/a"),
    ],
    ask: [write("/tmpx/note.md"), edit("/private/note.md"), write("/tmp/.git/config")],
    kept: true,
  },
  {
    what: "C049: acceptEdits accepts edits, and nothing else",
    under: { mode: "acceptEdits" },
    ask: [
      "wget http://host.test/a",
      "npm install left",
      "git push",
      ["mcp__shop__buy", { item: 1 }],
      ["WebFetch", { url: "http://host.test/", prompt: "x" }],
      ["WebSearch", { query: "x" }],
    ],
    allow: [edit("/work/app/a"), read("/work/app/a")],
  },
]);

describe("C029: where a session runs from is no part of a decision", () => {
  const env = [
    {},
    { SSH_CONNECTION: "1.2.3.4 5 6.7.8.9 22", SSH_TTY: "/dev/pts/1" },
    { TERM: "" },
    { TERM: "dumb", CI: "1" },
  ];

  it.each(env)("under %j", async (more) => {
    const cwd = scratch();
    const command = "cd .. ; echo made ; stat none 2>/dev/null";
    const options: Options = {
      cwd,
      env: { ...process.env, ...more },
      permissionMode: "bypassPermissions",
      allowDangerouslySkipPermissions: true,
    };
    const { result, texts } = await run(once("Bash", { command }), options);
    expect(result.permission_denials).toEqual([]);
    expect(texts.join()).toContain("made");
    const asked = await run(once("Bash", { command }), { ...options, permissionMode: "default" });
    expect(asked.result.permission_denials).toHaveLength(1);
  });
});

describe("C216: an ask of a hook where nobody is there", () => {
  const asks: HookCallback = () => ({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "ask",
      permissionDecisionReason: "look",
    },
  });
  const answers =
    (behavior: "allow" | "deny"): HookCallback =>
    () => ({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior } } });
  const touched = async (options: Options) => {
    const cwd = scratch();
    const { result, texts } = await run(once("Bash", { command: "touch made" }), { cwd, ...options });
    return {
      made: existsSync(join(cwd, "made")),
      denials: result.permission_denials.length,
      text: texts.join(),
    };
  };
  const hooks = (request?: HookCallback): NonNullable<Options["hooks"]> => ({
    PreToolUse: [{ hooks: [asks] }],
    ...(request === undefined ? {} : { PermissionRequest: [{ hooks: [request] }] }),
  });

  it("is answered by a PermissionRequest hook", async () => {
    expect(await touched({ hooks: hooks(answers("allow")) })).toMatchObject({ made: true, denials: 0 });
    expect(await touched({ hooks: hooks(answers("deny")) })).toMatchObject({ made: false, denials: 1 });
  });

  it("is a refusal that says so where there is none, or none that answers", async () => {
    for (const request of [undefined, (() => ({})) as HookCallback]) {
      const { made, denials, text } = await touched({ hooks: hooks(request) });
      expect({ made, denials }).toEqual({ made: false, denials: 1 });
      expect(text).toMatch(/nobody/i);
    }
  });

  it("is a refusal in dontAsk, and no hook is asked", async () => {
    let fired = 0;
    const request: HookCallback = (...given) => {
      fired += 1;
      return answers("allow")(...given);
    };
    expect(await touched({ permissionMode: "dontAsk", hooks: hooks(request) })).toMatchObject({
      made: false,
    });
    expect(fired).toBe(0);
  });
});

describe("C217: a run whose tools were denied", () => {
  it.each<[PermissionMode, string]>([
    ["dontAsk", "Write"],
    ["default", "Write"],
    ["plan", "Write"],
    ["dontAsk", "Bash"],
  ])("in %s lists each call of %s with its input, id and reason", async (permissionMode, name) => {
    const cwd = scratch();
    const input = name === "Write" ? { file_path: join(cwd, "a"), content: "x" } : { command: "touch a" };
    const { result, assistants, messages } = await run(once(name, input), { cwd, permissionMode });
    const ids = assistants.flatMap(({ message }) =>
      message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])),
    );
    expect(ids).toHaveLength(1);
    expect(result.permission_denials).toMatchObject([
      { tool_name: name, tool_use_id: ids[0], tool_input: input },
    ]);
    const told = messages.filter((each) => each.type === "system" && each.subtype === "permission_denied");
    expect(told).toMatchObject([
      { tool_name: name, tool_use_id: ids[0], reason: { type: expect.any(String) } },
    ]);
    expect(JSON.stringify(told)).toMatch(/dontAsk|nobody|plan/i);
    expect(existsSync(join(cwd, "a"))).toBe(false);
  });

  it("lists nothing where nothing was denied", async () => {
    const cwd = scratch();
    const options: Options = { cwd, permissionMode: "acceptEdits" };
    const { result } = await run(once("Write", { file_path: join(cwd, "a"), content: "x" }), options);
    expect(result.permission_denials).toEqual([]);
    expect(existsSync(join(cwd, "a"))).toBe(true);
  });
});

describe("C272: the mode of settings", () => {
  const fetched: Call = ["Write", { file_path: "/work/app/a", content: "x" }];

  it("holds where the options name none, and yields to one that they name", async () => {
    const user = { defaultMode: "plan" } as const;
    expect((await judge(fetched, { user })).reason.type).toBe("planCeiling");
    expect((await judge(fetched, { user, mode: "acceptEdits" })).behavior).toBe("allow");
    expect((await judge(fetched, {})).behavior).toBe("ask");
  });
});
