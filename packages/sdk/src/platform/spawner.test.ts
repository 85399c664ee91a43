import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodePlatform } from "./index.ts";
import { signalGroup } from "./process-group.ts";
import { createSpawner } from "./spawner.ts";

const platform = nodePlatform();
const env = { PATH: process.env.PATH ?? "", ONLY: "this" };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "castellan-spawner-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function run(script: string, options: { cwd?: string; command?: string; args?: string[] } = {}) {
  const chunks: { stream: string; text: string }[] = [];
  const child = platform.spawner(env).spawn({
    command: options.command ?? "bash",
    args: options.args ?? ["-c", script],
    cwd: options.cwd ?? folder,
    env,
    onOutput: (stream, chunk) => void chunks.push({ stream, text: Buffer.from(chunk).toString() }),
  });
  const text = (stream?: string) =>
    chunks
      .filter((chunk) => stream === undefined || chunk.stream === stream)
      .map((chunk) => chunk.text)
      .join("");
  return { child, text };
}

/** A killed process that nobody has collected yet counts as gone. */
const alive = (pid: number): boolean => {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
};

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}

async function pidIn(file: string): Promise<number> {
  const path = join(folder, file);
  let text = "";
  await until(async () => {
    text = await readFile(path, "utf8").catch(() => "");
    return text.endsWith("\n");
  });
  return Number(text);
}

describe("a spawned program", () => {
  it("gives both streams in order, its code, and gets only the env it was given", async () => {
    const { child, text } = run(
      'echo a; sleep 0.05; echo b >&2; sleep 0.05; echo "$ONLY-$HOME-$PWD"; exit 3',
    );
    expect(await child.ended).toEqual({ kind: "exit", code: 3, signal: null });
    expect(text()).toBe(`a\nb\nthis--${folder}\n`);
    expect(text("stderr")).toBe("b\n");
  });

  it("has no input to wait for", async () => {
    const { child, text } = run("read line; echo got $?");
    expect(await child.ended).toMatchObject({ kind: "exit", code: 0 });
    expect(text()).toBe("got 1\n");
  });

  it("that is held waits for the one line that it gets when it may begin; gone before, it minds nothing", async () => {
    const begin = () => {
      const chunks: Uint8Array[] = [];
      const child = platform.spawner(env).spawn({
        ...{
          command: "bash",
          args: ["--norc", "-c", "read line; echo $?; read line; echo $?"],
          cwd: folder,
          env,
        },
        isHeld: true,
        onOutput: (_, chunk) => void chunks.push(chunk),
      });
      return { child, text: () => Buffer.concat(chunks).toString() };
    };
    const { child, text } = begin();
    child.begin();
    await child.ended;
    expect(text()).toBe("0\n1\n");
    const left = begin();
    left.child.kill("SIGKILL");
    await left.child.ended;
    left.child.begin();
    expect(left.text()).toBe("");
  });

  it("that would be held is not started by a platform that gives it no input", async () => {
    const { spawn } = platform;
    const deaf = createSpawner(
      { ...platform, spawn: (command, args, options) => spawn(command, args, { ...options, input: false }) },
      env,
    );
    const child = deaf.spawn({
      ...{ command: "bash", args: ["-c", "read"], cwd: folder, env },
      isHeld: true,
      onOutput: () => {},
    });
    expect(child.pid).toBeUndefined();
    expect(await child.ended).toMatchObject({ kind: "failed", message: expect.stringContaining("no input") });
  });

  it("delivers all of a large output before it counts as ended", async () => {
    const { child, text } = run("head -c 3000000 /dev/zero | tr '\\0' x");
    await child.ended;
    expect(text().length).toBe(3_000_000);
  });

  it("leads a process group of its own", async () => {
    const { child, text } = run("ps -o pgid= -p $$");
    await child.ended;
    expect(Number(text())).toBe(child.pid);
  });

  it("ends although a grandchild keeps the output open", async () => {
    const { child, text } = run("sleep 300 & echo $!; exit 4");
    expect(await child.ended).toEqual({ kind: "exit", code: 4, signal: null });
    const grandchild = Number(text());
    expect(alive(grandchild)).toBe(true);
    child.kill("SIGKILL");
    await until(() => !alive(grandchild));
  });

  it("keeps what was written when a grandchild holds the output and this process is busy", async () => {
    const { child, text } = run("sleep 300 & echo ready; head -c 150000 /dev/zero | tr '\\0' y");
    await until(() => text() !== "");
    const start = performance.now();
    while (performance.now() - start < 600);
    await child.ended;
    expect(text()).toBe(`ready\n${"y".repeat(150_000)}`);
    child.kill("SIGKILL");
  });

  it("has what came last read, however late the program here gets to it", async () => {
    let text = "";
    const busyTimer = (_ms: number, fire: () => void) => {
      const start = performance.now();
      while (!text.includes("late") && performance.now() - start < 500);
      return platform.clock.timer(0, fire);
    };
    const clock = { ...platform.clock, timer: busyTimer };
    const child = createSpawner({ ...platform, clock }, env).spawn({
      command: "bash",
      args: ["-c", "(sleep 0.1; echo late; sleep 300) & exit 0"],
      cwd: folder,
      env,
      onOutput: (_stream, chunk) => {
        text += Buffer.from(chunk).toString();
      },
    });
    await child.ended;
    expect(text).toBe("late\n");
    child.kill("SIGKILL");
  });

  it("is told from a stranger that got its number", async () => {
    const { child: stranger } = run("sleep 300");
    const pid = stranger.pid ?? 0;
    expect(signalGroup({ pid, leaderGone: true }, "SIGKILL")).toBe(false);
    expect(alive(pid)).toBe(true);
    expect(signalGroup({ pid, leaderGone: false }, "SIGKILL")).toBe(true);
    expect(await stranger.ended).toMatchObject({ signal: "SIGKILL" });
  });

  it("dies with its whole group", async () => {
    const { child } = run("sleep 300 & echo $! > inner; wait");
    const inner = await pidIn("inner");
    child.kill("SIGKILL");
    expect(await child.ended).toEqual({ kind: "exit", code: null, signal: "SIGKILL" });
    await until(() => !alive(inner));
  });

  it("may answer a polite signal", async () => {
    const { child, text } = run("trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.02; done");
    await until(() => text() === "up\n");
    child.kill("SIGTERM");
    expect(await child.ended).toEqual({ kind: "exit", code: 7, signal: null });
    expect(text("stdout")).toBe("up\nbye\n");
  });

  it("can be killed after its end without any effect", async () => {
    const { child } = run("true");
    await child.ended;
    expect(() => child.kill("SIGKILL")).not.toThrow();
  });

  it("is ended when its reader throws, and says so", async () => {
    const child = platform.spawner(env).spawn({
      command: "bash",
      args: ["-c", "echo x; sleep 300"],
      cwd: folder,
      env,
      onOutput: () => {
        throw new Error("full");
      },
    });
    expect(await child.ended).toEqual({ kind: "failed", message: "bash could not be run: full." });
  });
});

describe("a program that cannot start", () => {
  it.each([
    ["missing program", { command: "no-such-program-here", args: [] }, /no such program is installed/],
    [
      "missing directory",
      { cwd: "/no/such/directory" },
      /working directory \/no\/such\/directory is missing/,
    ],
    ["a zero byte in its arguments", { args: ["-c", "echo \0"] }, /null byte/],
    ["a directory", { command: "/etc", args: [] }, /could not be run: .*EACCES/],
  ])("is a value: %s", async (_name, options, message) => {
    const { child } = run("", options);
    expect(child.pid).toBeUndefined();
    const ended = await child.ended;
    expect(ended.kind).toBe("failed");
    expect(ended.kind === "failed" && ended.message).toMatch(message);
    expect(() => child.kill("SIGTERM")).not.toThrow();
  });
});
