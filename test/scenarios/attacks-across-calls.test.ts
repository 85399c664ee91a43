import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { run, scratch } from "../kit/session.ts";

// What an earlier call, or the environment of the shell, makes of a line that alone would be harmless.

const yolo: Options = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true };

/** A folder that git takes for a repository, whose own settings run a program. */
function plantRepository(folder: string, mark: string): void {
  for (const each of ["objects", "refs"]) mkdirSync(join(folder, each), { recursive: true });
  writeFileSync(join(folder, "HEAD"), "ref: refs/heads/main\n");
  const settings = `\trepositoryformatversion = 0\n\tworktree = ${mark}\n\tfsmonitor = "touch ${mark}/MARK; false"\n`;
  writeFileSync(join(folder, "config"), `[core]\n${settings}`);
}

/** A project with a repository of its own that runs nothing. */
function project(): string {
  const cwd = join(scratch(), "proj");
  for (const each of [".git/objects", ".git/refs", "src"]) mkdirSync(join(cwd, each), { recursive: true });
  writeFileSync(join(cwd, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(cwd, ".git/config"), "[core]\n\trepositoryformatversion = 0\n");
  return cwd;
}

async function lines(cwd: string, commands: readonly string[], options: Options = {}): Promise<string> {
  const script = commands.map((command) => ({
    toolCalls: [{ name: "Bash", input: { command, timeout: 10_000 } }],
  }));
  const { texts } = await run([...script, "done"], { cwd, trustWorkspace: true, ...options });
  return texts.join("\n---\n");
}

describe("git without a rule", () => {
  const wasRun = (cwd: string): boolean => existsSync(join(cwd, "MARK"));

  it("reads the repository of the project, from below too", async () => {
    const cwd = project();
    const told = await lines(cwd, ["git status", "cd src", "git status", "git log --oneline -1 --all"]);
    expect(told.match(/No commits yet/g)).toHaveLength(2);
  });

  it.each([
    ["a repository in the project", "vendor/.git", "vendor"],
    ["a folder of such a repository", "vendor/.git", "vendor/deep"],
    ["a bare repository in the project", "sub", "sub"],
    ["a folder of a bare repository", "sub", "sub/deep"],
  ])("runs nothing of %s that an earlier call went to", async (_, repository, to) => {
    const cwd = project();
    plantRepository(join(cwd, repository), cwd);
    mkdirSync(join(cwd, to), { recursive: true });
    await lines(cwd, [
      `cd ${to} && git status`,
      `cd ${to}`,
      "git status",
      "git diff",
      "git status -s | head",
    ]);
    expect(wasRun(cwd)).toBe(false);
    // In bypassPermissions it is seen to run.
    await lines(cwd, [`cd ${to}`, "git status"], yolo);
    expect(wasRun(cwd)).toBe(true);
  });

  it("runs nothing where a file says that the repository is elsewhere in the project", async () => {
    const cwd = project();
    plantRepository(join(cwd, "sub"), cwd);
    mkdirSync(join(cwd, "vendor"));
    writeFileSync(join(cwd, "vendor/.git"), "gitdir: ../sub\n");
    await lines(cwd, ["cd vendor", "git status"]);
    expect(wasRun(cwd)).toBe(false);
  });

  it("runs nothing where the session starts in a folder that looks like a repository, or below one", async () => {
    const cwd = project();
    for (const each of ["sub", "sub/deep"]) {
      plantRepository(join(cwd, "sub"), cwd);
      mkdirSync(join(cwd, "sub/deep"), { recursive: true });
      await lines(join(cwd, each), ["git status"]);
      expect(wasRun(cwd)).toBe(false);
    }
  });

  it("runs nothing that variables of the environment point to", async () => {
    const cwd = project();
    plantRepository(join(cwd, "sub"), cwd);
    for (const env of [
      { GIT_DIR: "sub" },
      { GIT_WORK_TREE: ".", GIT_DIR: join(cwd, "sub") },
      { GIT_COMMON_DIR: "sub" },
    ]) {
      await lines(cwd, ["git status"], { env });
      expect(wasRun(cwd)).toBe(false);
      await lines(cwd, ["git status"], { ...yolo, env });
      expect([env, wasRun(cwd)]).toEqual([env, true]);
      rmSync(join(cwd, "MARK"));
    }
  });

  it("runs nothing in plan mode either", async () => {
    const cwd = project();
    plantRepository(join(cwd, "sub"), cwd);
    await lines(cwd, ["cd sub", "git status"], { permissionMode: "plan" });
    expect(wasRun(cwd)).toBe(false);
  });

  it("asks where the repository lies above the project, or there is none", async () => {
    const cwd = project();
    expect(await lines(join(cwd, "src"), ["git status"])).not.toContain("No commits yet");
    renameSync(join(cwd, ".git"), join(cwd, "src/.git"));
    expect(await lines(cwd, ["git status"])).toContain("git status");
  });

  it("knows a worktree by the file that leads to its repository", async () => {
    const cwd = project();
    const tree = join(cwd, "..", "tree");
    mkdirSync(tree);
    mkdirSync(join(cwd, ".git/worktrees/tree"), { recursive: true });
    writeFileSync(join(cwd, ".git/worktrees/tree/HEAD"), "ref: refs/heads/other\n");
    writeFileSync(join(cwd, ".git/worktrees/tree/commondir"), "../..\n");
    writeFileSync(join(cwd, ".git/worktrees/tree/gitdir"), `${tree}/.git\n`);
    writeFileSync(join(tree, ".git"), `gitdir: ${cwd}/.git/worktrees/tree\n`);
    expect(await lines(tree, ["git status"])).toContain("No commits yet");
  });
});

describe("the home of the shell", () => {
  const path = process.env.PATH;

  it("is the one that rules are about, whatever the environment calls it", async () => {
    const cwd = project();
    const real = scratch();
    writeFileSync(join(real, "secret"), "s3cr3t");
    const env = { PATH: path, HOME: real };
    const deny = { settings: { permissions: { deny: [`Read(/${real}/**)`] } } };
    for (const line of ["cat ~/secret", "cat $HOME/secret", "cd; cat secret", "cd && cat secret"]) {
      expect(await lines(cwd, [line], { ...yolo, env })).toContain("s3cr3t");
      expect(await lines(cwd, [line], { ...yolo, env, ...deny })).not.toContain("s3cr3t");
      expect(await lines(cwd, [line], { env })).not.toContain("s3cr3t");
    }
  });

  it.each([undefined, "", "relative", "."])(
    "is told to the shell where the environment has none to use: %j",
    async (HOME) => {
      const told = await lines(project(), ["echo at $HOME and ~"], { ...yolo, env: { PATH: path, HOME } });
      const [, first, second] = /at (\S+) and (\S+)/.exec(told) ?? [];
      expect(first).toMatch(/^\//);
      expect(second).toBe(first);
    },
  );

  it("keeps the rules about the person's own home where the shell gets another", async () => {
    const cwd = project();
    const own = scratch();
    writeFileSync(join(own, "secret"), "s3cr3t");
    const before = process.env.HOME;
    process.env.HOME = own;
    try {
      const options: Options = {
        ...yolo,
        env: { PATH: path, HOME: scratch() },
        settings: { permissions: { deny: ["Read(~/secret)"] } },
      };
      expect(await lines(cwd, [`cat ${own}/secret`], options)).not.toContain("s3cr3t");
    } finally {
      process.env.HOME = before;
    }
  });
});
