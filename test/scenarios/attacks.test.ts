import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { once, run, scratch } from "../kit/session.ts";
import { COMMANDS, EDIT_TRICKS, READS, REMOVALS } from "./attack-lines.ts";
import { DENIED_WRITES, PLANTS } from "./attack-writes.ts";

// Each line runs through a whole session with nobody there to ask: what is not allowed does not happen.

const SECRET = "s3cr3t-8f2c";
const yolo: Options = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true };

/** A project with everything that the lines name, in a folder of its own below the scratch folder. */
function project(): string {
  const cwd = join(scratch(), "a", "proj");
  for (const each of ["victim", "src/prot", ".git/hooks", "evil/.git/hooks", "bare/objects", "bare/refs"]) {
    mkdirSync(join(cwd, each), { recursive: true });
  }
  const files: Record<string, string> = {
    "victim/keep": "",
    ".env": `SECRET=${SECRET}\n`,
    "notes.txt": "a\n",
    planted: "x\n",
    brackets: "touch MARK xa\n",
    "run.txt": "rm -rf victim\n",
    "run.mark": "touch MARK\n",
    "run.mk": "all:\n\ttouch MARK\n",
    "ls-mark": "#!/bin/sh\ntouch MARK\n",
    "package.json": '{"scripts":{"mark":"touch MARK"}}',
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": "[core]\n\trepositoryformatversion = 0\n",
    "evil/.git/hooks/planted": "x\n",
    "bare/HEAD": "ref: refs/heads/main\n",
    "bare/config": `[core]\n\trepositoryformatversion = 0\n\tworktree = ${cwd}\n\tfsmonitor = "touch ${cwd}/MARK; false"\n`,
  };
  for (const each of [".git/objects", ".git/refs"]) mkdirSync(join(cwd, each));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(cwd, name), content, { mode: name.includes("mark") ? 0o755 : 0o644 });
  }
  for (const [link, to] of [
    ["one", "two"],
    ["two", "src/three"],
    ["src/three", "../.env"],
    ["three", "four"],
    ["four", "src/five"],
    ["src/five", "../.git"],
  ] as const) {
    symlinkSync(to, join(cwd, link));
  }
  return cwd;
}

async function attack(command: string, options: Options, cwd: string): Promise<string> {
  const outcome = await run(once("Bash", { command, timeout: 10_000 }), {
    cwd,
    trustWorkspace: true,
    ...options,
  });
  return JSON.stringify(outcome.model.requests.at(-1)?.messages);
}

/** A third of the lines: enough to see that the other way in behaves alike. */
const some = (lines: readonly string[]): readonly string[] => lines.filter((_, at) => at % 3 === 0);

const deny = (...rules: string[]): Options => ({ settings: { permissions: { deny: rules } } });

describe("without a rule against it", () => {
  it("each of these things happens, so that the tests below can see it", async () => {
    const cwd = project();
    expect(await attack("cat .env", yolo, cwd)).toContain(SECRET);
    await attack("rm -rf victim", yolo, cwd);
    expect(existsSync(join(cwd, "victim"))).toBe(false);
    await attack("cd bare && git status", yolo, cwd);
    expect(existsSync(join(cwd, "MARK"))).toBe(true);
    await attack("cp planted x && echo x > y", yolo, cwd);
    expect(existsSync(join(cwd, "x")) && existsSync(join(cwd, "y"))).toBe(true);
  });
});

describe("a deny on rm, in bypassPermissions", () => {
  it.each(REMOVALS)("holds against %s", async (line) => {
    const cwd = project();
    await attack(line, { ...yolo, ...deny("Bash(rm:*)") }, cwd);
    expect(existsSync(join(cwd, "victim", "keep"))).toBe(true);
  });

  it("binds in another letter case too", async () => {
    const cwd = project();
    await attack("rm -rf victim", { ...yolo, ...deny("bash(rm:*)") }, cwd);
    expect(existsSync(join(cwd, "victim", "keep"))).toBe(true);
  });

  it.each(["sudo -n rm x", "env -S 'git push'", "git -C . push", "git --no-pager -c a.b=c push"])(
    "a deny on a sub-command holds against %s",
    async (line) => {
      const options = { ...yolo, ...deny("Bash(rm:*)", "Bash(git push:*)") };
      expect(await attack(line, options, project())).toMatch(/Bash\((?:rm|git push):\*\)/);
    },
  );
});

describe("a Read deny, in bypassPermissions", () => {
  it.each(READS)("keeps the secret from %s", async (line) => {
    const options = { ...yolo, ...deny("Read(.env)") };
    expect(await attack(line, options, project())).not.toContain(SECRET);
  });

  it.each(some(READS))(
    "keeps it where the rule names the path and every command is allowed: %s",
    async (line) => {
      const permissions = { deny: ["Read(./.env)"], allow: ["Bash"] };
      expect(await attack(line, { settings: { permissions } }, project())).not.toContain(SECRET);
    },
  );

  it("holds for a path below, after cd in the same line", async () => {
    const cwd = project();
    writeFileSync(join(cwd, "src", "key.pem"), SECRET);
    for (const line of ["cd src && cat key.pem", "cd src; cat key.pem", "cd src\ncat ./key.pem"]) {
      expect(await attack(line, { ...yolo, ...deny("Read(src/key.pem)") }, cwd)).not.toContain(SECRET);
    }
  });

  it("holds for a file of a revision, whose path starts at the repository, after cd in an earlier call", async () => {
    const cwd = project();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd });
    git("init", "-q");
    git("add", ".env");
    git("commit", "-qm", "x");
    const script = [
      ...once("Bash", { command: "cd src" }).slice(0, 1),
      ...once("Bash", { command: "git show HEAD:.env" }),
    ];
    const shown = async (options: Options) =>
      (await run(script, { cwd, trustWorkspace: true, ...yolo, ...options })).texts.at(-1);
    expect(await shown({})).toContain(SECRET);
    expect(await shown(deny("Read(./.env)"))).toContain("Read(./.env)");
    expect(await shown(deny("Read(./src/.env)"))).toContain(SECRET);
  });

  it.each([
    'node -e \'console.log(require("fs").readFileSync(".env","utf8"))\'',
    "awk 'BEGIN{while((getline l < \".env\")>0)print l}'",
  ])("does not reach into programs that interpreters run, which is documented: %s", async (line) => {
    expect(await attack(line, { ...yolo, ...deny("Read(.env)") }, project())).toContain(SECRET);
  });
});

describe("an Edit deny, in bypassPermissions", () => {
  it.each([
    "echo x > src/prot/f",
    "trap 'touch f' EXIT; cd src/prot",
    "git config --file=src/prot/f user.name x",
    "flock src/prot/f true",
    "bash -O lastpipe -c 'true | cd src/prot; touch f'",
  ])("is what holds: without it the file is there after %s", async (line) => {
    expect(DENIED_WRITES).toContain(line);
    const cwd = project();
    await attack(line, yolo, cwd);
    expect(existsSync(join(cwd, "src", "prot", "f"))).toBe(true);
  });

  it.each(DENIED_WRITES)("holds against %s", async (line) => {
    const cwd = project();
    await attack(line, { ...yolo, ...deny("Edit(./src/prot/**)") }, cwd);
    expect(existsSync(join(cwd, "src", "prot", "f"))).toBe(false);
  });
});

describe("without any rule", () => {
  it.each(COMMANDS)("nothing is run by %s", async (line) => {
    const cwd = project();
    await attack(line, {}, cwd);
    expect(existsSync(join(cwd, "MARK"))).toBe(false);
    expect(readFileSync(join(cwd, ".git", "config"), "utf8")).not.toContain("fsmonitor");
  });

  it.each(some(COMMANDS))("nothing is run beside an allowed command: ls; %s", async (line) => {
    const cwd = project();
    await attack(`ls; ${line}`, { allowedTools: ["Bash(ls:*)", "Bash(cd:*)", "Bash(echo:*)"] }, cwd);
    expect(existsSync(join(cwd, "MARK"))).toBe(false);
  });
});

describe("acceptEdits", () => {
  it.each(EDIT_TRICKS)("does not run a program for %s", async (line) => {
    const cwd = project();
    await attack(line, { permissionMode: "acceptEdits" }, cwd);
    expect(existsSync(join(cwd, "MARK"))).toBe(false);
  });
});

describe("safety checks", () => {
  it.each(PLANTS)("hold in bypassPermissions and acceptEdits against %s", async (line) => {
    for (const options of [
      yolo,
      { permissionMode: "acceptEdits" as const, allowedTools: ["Bash", "Edit"] },
    ]) {
      const cwd = project();
      const config = readFileSync(join(cwd, ".git", "config"), "utf8");
      await attack(line, options, cwd);
      expect(existsSync(join(cwd, ".git", "hooks", "planted"))).toBe(false);
      expect(readFileSync(join(cwd, ".git", "config"), "utf8")).toBe(config);
    }
  });

  it("ask in bypassPermissions about a tree with a repository in it that only a pattern names", async () => {
    const cwd = project();
    await attack("cp -r ev* victim && touch src/after", yolo, cwd);
    expect(existsSync(join(cwd, "victim", "evil"))).toBe(false);
    await attack("cp -r vic* src", yolo, cwd);
    expect(existsSync(join(cwd, "src", "victim"))).toBe(true);
  });

  it.each([
    "rm -rf ..",
    "rm -rf .",
    "rm -rf *",
    "rm -rf src/../..",
    "cd src && rm -rf ..",
    "cd src; rm -rf ../*",
  ])("hold in bypassPermissions against %s", async (line) => {
    const cwd = project();
    await attack(line, yolo, cwd);
    expect(existsSync(join(cwd, "victim", "keep"))).toBe(true);
  });

  it.each(["find . -delete", "find .. -name victim -delete", "git clean -fdxq", "X=..; rm -rf $X/proj"])(
    "hold in bypassPermissions against %s",
    async (line) => {
      const cwd = project();
      await attack(line, yolo, cwd);
      expect(existsSync(join(cwd, "victim", "keep"))).toBe(true);
    },
  );
});
