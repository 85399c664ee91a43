import { readdirSync, readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../protocol/index.ts";
import { builtinKit, type Kit } from "../test-kit.ts";

let kit: Kit;
beforeEach(async () => {
  kit = await builtinKit();
});
afterEach(() => kit.remove());

async function start(command: string, more = {}): Promise<string> {
  const { text, result } = await kit.call("Bash", { command, run_in_background: true, ...more });
  const id = (result.structuredContent as { backgroundTaskId?: string } | undefined)?.backgroundTaskId;
  if (id === undefined) throw new Error(text);
  return id;
}

const output = (id: string, more = {}) => kit.call("BashOutput", { bash_id: id, ...more });
const ended = (id: string, more = {}) => output(id, { block: true, timeout: 600_000, ...more });

/** A killed process that nobody has collected yet counts as gone. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^\) [ZX]/.test(stat.slice(stat.lastIndexOf(")")));
  } catch {
    return false;
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}

const firstPid = (): number => (kit.events[0]?.data as { pid: number } | undefined)?.pid ?? 0;

/** Reads until a text has come; gives all that was read. */
async function seen(id: string, wanted: string): Promise<string> {
  let all = "";
  await until(async () => {
    all += `${(await output(id)).text}\n`;
    return all.includes(wanted);
  });
  return all;
}

describe("a command in the background", () => {
  it("lets the call return at once, and tells what is new each time", async () => {
    const id = await start("echo one; until [ -e go ]; do sleep 0.02; done; echo two");
    expect(await seen(id, "one")).toContain("still running");
    expect((await output(id)).text).toBe(`(no new output)\n(${id}: still running.)`);
    await kit.put("go", "");
    const last = await ended(id);
    expect(last).toMatchObject({ text: `two\n(${id}: completed, exit code 0.)`, isError: false });
    expect(last.result.structuredContent).toMatchObject({ status: "completed", exitCode: 0, signal: null });
    expect((await output(id)).text).toContain("(no new output)");
  });

  it("C136: that is killed has failed with that signal, and its output is kept", async () => {
    const id = await start("echo a; kill -9 $$");
    expect((await ended(id)).text).toBe(`a\n(${id}: failed, ended by the signal SIGKILL.)`);
    expect(kit.events.at(-1)).toMatchObject({
      type: "task.finished",
      data: { taskId: id, status: "failed", signal: "SIGKILL" },
    });
    expect((await ended(await start("exit 3"))).text).toContain("failed, exit code 3");
  });

  it("is recorded with its process and where its output goes, for its owner only", async () => {
    const id = await start("echo hi; sleep 60", { description: "Says hi" });
    const [event] = kit.events;
    const data = event?.data as { pid: number; mark: string; spool: string };
    expect(event).toMatchObject({
      type: "task.started",
      data: { taskId: id, callId: "call_1", description: "Says hi", command: "echo hi; sleep 60" },
    });
    expect(isAlive(data.pid)).toBe(true);
    expect(data.mark).toMatch(/^[0-9a-f-]{36}:\d+$/);
    expect(statSync(data.spool).mode & 0o777).toBe(0o600);
    await kit.shells.close();
    expect(() => statSync(data.spool)).toThrow();
  });

  it("runs only once its start is recorded, and has no input", async () => {
    let recorded = (): void => {};
    kit.recorder.barrier = () =>
      new Promise((resolve) => {
        recorded = resolve;
      });
    // A bash whose input is a connection would read it.
    await kit.put(".bashrc", "touch read");
    const starting = start("touch begun; read line; echo got $?");
    await until(() => kit.events.length > 0);
    // The shell stands still: it waits for its word, and has made nothing.
    await until(() => readFileSync(`/proc/${firstPid()}/stat`, "utf8").includes(") S "));
    expect(readdirSync(kit.cwd)).toEqual([".bashrc"]);
    recorded();
    kit.recorder.barrier = async () => {};
    expect((await ended(await starting)).text).toContain("got 1\n");
    expect(readdirSync(kit.cwd)).toEqual([".bashrc", "begun"]);
  });

  it("never runs where its start cannot be recorded", async () => {
    kit.recorder.barrier = () => Promise.reject(new Error("the disk is full"));
    await expect(start("touch begun; sleep 60")).rejects.toThrow("the disk is full");
    await until(() => !isAlive(firstPid()));
    expect(readdirSync(kit.cwd)).toEqual([]);
  });

  it("nor where the log takes nothing more", async () => {
    let pid = 0;
    kit.recorder.record = (_, data) => {
      pid = (data as { pid: number }).pid;
      throw new Error("the log is closed");
    };
    await expect(start("touch begun; sleep 60")).rejects.toThrow("the log is closed");
    await until(() => !isAlive(pid));
    expect(readdirSync(kit.cwd)).toEqual([]);
  });

  it("moves no directory, keeps the line whole, and runs where it was judged", async () => {
    const id = await start("cd /; pwd; echo 'a  b' \"$PWD\"");
    expect((await ended(id)).text).toContain("/\na  b /");
    expect(kit.shell.cwd).toBe(kit.cwd);
    expect((await ended(await start("pwd"))).text).toContain(kit.cwd);
  });

  it("is ended after its time limit only where one is given", async () => {
    const id = await start("echo a; sleep 60", { timeout: 50 });
    expect((await ended(id)).text).toMatch(/^a\n\(\w+: stopped, .*: Ended after 50 ms, its time limit\.\)$/);
  });

  it("ends although a daemon of its holds the output open", async () => {
    const id = await start("setsid sleep 60 & echo $!");
    const { text } = await ended(id);
    expect(text).toContain("completed, exit code 0");
    process.kill(Number.parseInt(text, 10), "SIGKILL");
  });

  it("takes along what is left of its group when it ends", async () => {
    const id = await start("sleep 60 & echo $!");
    const pid = Number.parseInt((await ended(id)).text, 10);
    await until(() => !isAlive(pid));
  });

  it("is not started where nothing can run in the background, or the call is stopped", async () => {
    const aborted = AbortSignal.abort();
    const run = await kit.prepare("Bash", { command: "touch made", run_in_background: true });
    expect(await run(aborted)).toMatchObject({ isError: true });
    expect(readdirSync(kit.cwd)).toEqual([]);
  });
});

describe("KillShell", () => {
  it("ends the whole tree, also what has left the group, also what ignores the first signal", async () => {
    const id = await start(
      // Of a job with a group of its own, setsid would make a child and go.
      "trap '' TERM; setsid sleep 61 & echo $!; set -m; sleep 62 & echo $!; echo up; wait",
    );
    const pids = (await seen(id, "up")).match(/^\d+$/gm)?.map(Number) ?? [];
    expect(pids.map(isAlive)).toEqual([true, true]);
    const { text, isError } = await kit.call("KillShell", { shell_id: id });
    expect(text).toMatch(new RegExp(`^${id}: stopped, .*: Ended by KillShell\\.$`));
    expect(isError).toBe(false);
    await until(() => !pids.some(isAlive));
    expect((await kit.call("KillShell", { task_id: id })).text).toContain("had ended before");
  }, 20_000);

  it("names what there is where the id is none", async () => {
    expect(await kit.call("KillShell", { shell_id: "__proto__" })).toMatchObject({
      isError: true,
      text: 'There is no background command "__proto__": this session has started none.',
    });
    const id = await start("sleep 60");
    expect((await output("constructor")).text).toContain(`${id} (running)`);
  });
});

describe("BashOutput", () => {
  it("filters whole lines, and passes over the others for good", async () => {
    const id = await start(
      "echo keep 1; echo drop; printf 'keep 2'; until [ -e go ]; do sleep 0.02; done; echo 2",
    );
    let text = "";
    await until(async () => {
      text += (await output(id, { filter: "keep \\d" })).text;
      return text.includes("keep 1");
    });
    expect(text).not.toContain("keep 2");
    await kit.put("go", "");
    expect((await ended(id, { filter: "keep" })).text).toBe(`keep 22\n(${id}: completed, exit code 0.)`);
    expect((await output(id)).text).toContain("(no new output)");
  });

  it("uses nothing up for a filter that is none, and takes linear time for one that is bad", async () => {
    const id = await start(`printf '%s\\n' ${"a".repeat(40)}`);
    await kit.shells.wait(id, 600_000, new AbortController().signal);
    expect(await output(id, { filter: "(" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("Nothing was read: the filter is not understood"),
    });
    expect((await output(id, { filter: "^(a+)+$" })).text).toContain("aaaa");
    const second = await start(`printf '%s!\\n' ${"a".repeat(5_000)}`);
    expect((await ended(second, { filter: "^(a+)+$" })).text).toContain(
      "no new line fits the filter; 1 line was",
    );
  });

  it("gives bytes that are no text, control sequences, one huge line and none at all", async () => {
    expect((await ended(await start("head -c 100 /dev/urandom; printf end"))).text).toContain("end");
    const coloured = await start("printf '\\033[31mred\\033[0m \\033]0;title\\007plain \\033(Bx'");
    expect((await ended(coloured)).text).toContain("red plain x\n");
    const huge = await ended(await start("head -c 300000 /dev/zero | tr '\\0' x"));
    expect(huge.text.length).toBeLessThan(31_000);
    expect(huge.text).toContain("characters are cut out here. The whole output is kept as artifact");
    expect(await kit.stored(huge.result.artifacts?.[0])).toBe("x".repeat(300_000));
    expect((await ended(await start("true"))).text).toMatch(/^\(no new output\)/);
  });

  it("puts a character together that comes in two pieces", async () => {
    const id = await start("printf '\\xf0\\x9f'; sleep 0.1; printf 'E' >&2; sleep 0.1; printf '\\x98\\x80'");
    expect((await ended(id)).text).toMatch(/^E😀\n/);
  });

  it("waits no longer than it is told, nor for a call that is stopped", async () => {
    const id = await start("sleep 60");
    expect((await output(id, { block: true, timeout: 20 })).text).toContain("still running");
    const stop = new AbortController();
    const waiting = kit.call("BashOutput", { bash_id: id, block: true, timeout: 600_000 }, stop.signal);
    stop.abort();
    expect((await waiting).text).toContain("still running");
  });
});

describe("the id", () => {
  it.each([
    ["BashOutput", "bash_id"],
    ["KillShell", "shell_id"],
  ])("of %s goes by one of two names, or both alike", async (name, own) => {
    const says = async (input: JsonObject) => (await kit.call(name, input)).text;
    expect(await says({ [own]: "1" })).toContain("no background command");
    expect(await says({ task_id: "1" })).toContain("no background command");
    expect(await says({ [own]: "1", task_id: "1" })).toContain("no background command");
    expect(await says({})).toContain(`Give either ${own} or task_id`);
    expect(await says({ [own]: "1", task_id: "2" })).toContain(`Give either ${own} or task_id`);
  });
});

describe("many commands", () => {
  it("run beside each other, fifty of them, each with its own output", async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, (_, i) => start(`for n in 1 2 3; do echo shell-${i}-$n; done; sleep 60`)),
    );
    expect(new Set(ids).size).toBe(50);
    for (const [i, id] of ids.entries()) {
      expect(await seen(id, `shell-${i}-3`)).toContain(`shell-${i}-1\nshell-${i}-2\nshell-${i}-3`);
    }
    const pids = kit.shells.list().map(({ pid }) => pid);
    expect(pids.every(isAlive)).toBe(true);
    await kit.shells.close();
    expect(kit.shells.list().map(({ status }) => status)).toEqual(Array(50).fill("stopped"));
    await until(() => !pids.some(isAlive));
  }, 60_000);

  it("have a limit, which the refusal names, and none starts once the session ends", async () => {
    await Promise.all(Array.from({ length: 100 }, () => start("sleep 60")));
    const refused = await kit.call("Bash", { command: "sleep 1", run_in_background: true });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining("100 background commands"),
    });
    await kit.shells.close();
    expect(await kit.call("Bash", { command: "true", run_in_background: true })).toMatchObject({
      isError: true,
    });
  }, 60_000);
});
