import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtinKit, type Kit } from "../test-kit.ts";

let kit: Kit;
beforeEach(async () => {
  kit = await builtinKit();
});
afterEach(() => kit.remove());

const bash = (command: string, more = {}, signal?: AbortSignal) =>
  kit.call("Bash", { command, ...more }, signal);

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

describe("Bash output", () => {
  it("interleaves both streams and tells the exit code", async () => {
    const { text, isError, result } = await bash("echo a; sleep 0.1; echo b >&2; sleep 0.1; echo c; exit 3");
    expect(text).toBe("a\nb\nc\n(exit code 3)");
    expect(isError).toBe(true);
    expect(result.structuredContent).toMatchObject({ exitCode: 3, timedOut: false });
    expect(await bash("echo fine")).toMatchObject({ text: "fine", isError: false });
    expect((await bash("true")).text).toBe("(no output, exit code 0)");
    expect((await bash("kill -9 $$")).text).toContain("signal SIGKILL");
  });

  it("puts a character together that comes in two pieces, for each stream", async () => {
    const { text } = await bash(
      "printf '\\xf0\\x9f'; sleep 0.1; printf '\\xc3' >&2; sleep 0.1; printf '\\x98\\x80'; sleep 0.1; printf '\\xa9' >&2",
    );
    expect([...text].sort()).toEqual([..."😀é"].sort());
  });

  it("cuts the middle of 30,000 characters and keeps the whole", async () => {
    const { text, result } = await bash("seq 1 20000; exit 1");
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text.startsWith("1\n2\n3\n")).toBe(true);
    expect(text.endsWith("19999\n20000\n(exit code 1)")).toBe(true);
    const [artifact] = result.artifacts ?? [];
    expect(text).toContain(`kept as artifact ${artifact?.id}`);
    expect(await kit.stored(artifact)).toBe(Array.from({ length: 20_000 }, (_, i) => `${i + 1}\n`).join(""));
    const cut = Number(/\[… (\d+) characters are cut/.exec(text)?.[1]);
    expect(cut).toBeGreaterThan(70_000);
  });

  it("reports whole lines while it runs", async () => {
    await bash("echo first; sleep 0.3; echo second; sleep 0.3; printf unfinished");
    expect(kit.progress.join("\n")).toContain("first");
    expect(kit.progress.join("\n")).not.toContain("unfinished");
  });

  it("has no input, and no pager's or editor's terminal", async () => {
    expect((await bash("cat; read x; echo got:$x; tty")).text).toContain("got:");
  });
});

describe("the directory of Bash", () => {
  it("is kept from call to call, the environment is not", async () => {
    await mkdir(join(kit.cwd, "sub dir"));
    expect((await bash("cd 'sub dir'; X=1; export Y=2")).text).toContain(`now in ${kit.cwd}/sub dir`);
    expect((await bash('pwd; echo "$X$Y."')).text).toBe(`${kit.cwd}/sub dir\n.`);
    expect(kit.shell.cwd).toBe(`${kit.cwd}/sub dir`);
  });

  it.each([
    ["exit", "cd sub; exit 4", 4],
    ["set -e", "set -e; cd sub; false; echo never", 1],
    ["a failing last command", "cd sub; false", 1],
    ["an unset variable", "set -u; cd sub; echo $nothing_of_that_name", 127],
    ["noclobber and tracing", "set -Cx; cd sub", 0],
    ["a comment at the end", "cd sub # and no more", 0],
    ["a here-document", "cd sub; cat <<X\nhi\nX", 0],
    ["an open here-document", "cd sub; cat <<X\nhi", 0],
    ["a backslash at the end", "cd sub; echo x\\", 0],
    ["a function named pwd", "pwd() { echo /tmp; }; cd sub", 0],
    ["a trap of its own that exits", "cd sub; trap 'true' INT", 0],
  ])("is learned after %s", async (_name, command, code) => {
    await mkdir(join(kit.cwd, "sub"));
    const { result, text } = await bash(command);
    expect(result.structuredContent).toMatchObject({ exitCode: code, cwd: join(kit.cwd, "sub") });
    expect(text).not.toContain("castellan-sh-");
    expect(text).not.toContain("pwd");
  });

  it.each([
    ["exec", "exec sh -c 'cd sub; exit 5'", 5],
    ["a sub-shell", "(cd sub; exit 6)", 6],
    ["a syntax error", "cd sub; if", 2],
    ["words that look like ours", "echo /tmp; printf 'cwd=/tmp\\n' >&2", 0],
  ])("stays after %s", async (_name, command, code) => {
    await mkdir(join(kit.cwd, "sub"));
    const { result } = await bash(command);
    const { exitCode, cwd } = result.structuredContent as { exitCode: number; cwd: string };
    expect(cwd === kit.cwd || command.includes("if")).toBe(true);
    expect(exitCode).toBe(code);
  });

  it("goes back when it is outside, and says so; a link out is outside", async () => {
    const { text } = await bash("cd /; pwd");
    expect(text).toContain("/ is outside the allowed directories");
    expect(kit.shell.cwd).toBe(kit.cwd);
    await symlink("/etc", join(kit.cwd, "out"));
    expect((await bash("cd out")).text).toContain("/etc is outside");
    expect((await bash("pwd")).text).toBe(kit.cwd);
  });

  it("may be an added directory", async () => {
    const other = await builtinKit();
    const both = await builtinKit({ additionalDirectories: [other.cwd] });
    await both.call("Bash", { command: `cd '${other.cwd}'` });
    expect(both.shell.cwd).toBe(other.cwd);
    await Promise.all([other.remove(), both.remove()]);
  });

  it("runs in no other directory when its own is gone, or has changed since the call was judged", async () => {
    await mkdir(join(kit.cwd, "sub"));
    await bash("cd sub");
    const run = await kit.prepare("Bash", { command: "touch made" });
    await rm(join(kit.cwd, "sub"), { recursive: true });
    expect((await run()).text).toContain("does not exist any more");
    expect(kit.shell.cwd).toBe(kit.cwd);
    await mkdir(join(kit.cwd, "other"));
    const second = await kit.prepare("Bash", { command: "touch made" });
    kit.shell.cwd = join(kit.cwd, "other");
    expect((await second()).text).toContain("since this command was judged");
    expect(await readdir(kit.cwd)).toEqual(["other"]);
  });
});

describe("the line that Bash runs", () => {
  it("is the one that was given, with nothing around it", async () => {
    expect((await bash("echo \"$#:$1:$0\"; echo 'a'\"'\"'b'")).text).toBe("0::bash\na'b");
    expect((await bash("false || { echo x; }\n# end'")).text).toBe("x");
  });

  it("is not changed by the environment's functions, start files or search paths", async () => {
    const rc = await kit.put("rc", "echo FROM-RC; ls() { echo fake; }\n");
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: kit.cwd,
      BASH_ENV: rc,
      ENV: rc,
      "BASH_FUNC_ls%%": "() { echo fake; }",
      CDPATH: "/usr",
      SHELLOPTS: "noglob",
      PS4: "$(echo x)",
    };
    await kit.put(".bashrc", "echo FROM-BASHRC\n");
    await kit.put(".bash_profile", "echo FROM-PROFILE\n");
    const inner = await builtinKit({ env });
    await inner.put("file", "");
    expect((await inner.call("Bash", { command: "ls; echo f*" })).text).toBe("file\nfile");
    expect((await inner.call("Bash", { command: "cd lib" })).isError).toBe(true);
    await inner.remove();
  });

  it("holds no zero byte, and asks for nothing that does not exist yet", async () => {
    expect((await bash("echo a\0b")).text).toContain("zero byte");
    expect((await bash("x", { stdin: "y" })).text).toContain("stdin: is an unknown key");
    expect((await bash("x", { timeout: 600_001 })).isError).toBe(true);
    expect((await bash("x", { timeout: 0 })).isError).toBe(true);
  });

  it("leaves nothing behind in the temporary directory", async () => {
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith("castellan-sh-"));
    await bash("true");
    await bash("exit 3");
    await bash("sleep 5", { timeout: 50 });
    const after = (await readdir(tmpdir())).filter((name) => name.startsWith("castellan-sh-"));
    expect(after.filter((name) => !before.includes(name))).toEqual([]);
  });
});

describe("the end of a command", () => {
  it("comes after its time-out, with what it printed, and takes its children along", async () => {
    const { text, isError, result } = await bash("sleep 300 & echo $!; echo partial; sleep 300", {
      timeout: 300,
    });
    expect(text).toContain("partial\n(Timed out after 300 ms");
    expect(isError).toBe(true);
    expect(result.structuredContent).toMatchObject({ timedOut: true, exitCode: null });
    const child = Number(text.split("\n")[0]);
    await until(() => !alive(child));
  });

  it("comes by force when the polite signal is ignored", async () => {
    const { text } = await bash("trap '' TERM; echo up; sleep 300; sleep 300", { timeout: 200 });
    expect(text).toContain("up\n(Timed out");
  });

  it("comes when the call is interrupted, also before it began", async () => {
    const stop = new AbortController();
    const running = bash("echo begun; sleep 300", {}, stop.signal);
    await until(() => kit.progress.length > 0);
    stop.abort();
    const { text, result } = await running;
    expect(text).toContain("begun\n(Interrupted");
    expect(result.structuredContent).toMatchObject({ interrupted: true });
    expect((await bash("sleep 300", {}, AbortSignal.abort())).text).toContain("Interrupted");
  });

  it("takes what runs in the background along", async () => {
    const { text, isError } = await bash("sleep 300 & echo $!");
    expect(isError).toBe(false);
    const child = Number(text);
    expect(child).toBeGreaterThan(1);
    await until(() => !alive(child));
  });
});
