import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryArtifacts } from "../../artifacts/index.ts";
import { nodePlatform, type Platform, processMark } from "../../platform/index.ts";
import type { EventData } from "../../protocol/index.ts";
import { createShells, type LoggedTask } from "./create-shells.ts";
import { createSpool } from "./spool.ts";

const real = nodePlatform();
let signals: [number, string][];
let platform: Platform;
let child: ReturnType<typeof spawn>;
beforeEach(() => {
  signals = [];
  platform = {
    ...real,
    signalGroup(pid, signal) {
      signals.push([pid, signal]);
      return real.signalGroup(pid, signal);
    },
  };
  child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
});
afterEach(() => void child.kill("SIGKILL"));

async function left(more: Partial<EventData<"task.started">>): Promise<LoggedTask> {
  const folder = await mkdtemp(join(tmpdir(), "castellan-shells-"));
  const spool = await createSpool(real, join(folder, "sh_1"));
  spool.append("what it printed");
  spool.close();
  const pid = child.pid as number;
  const mark = (await processMark(real, pid)) ?? "";
  return {
    started: {
      ...{ taskId: "sh_1", kind: "shell", callId: "c", command: "sleep 60", cwd: "/", pid, mark },
      ...{ spool: spool.path, ...more },
    } as const,
  };
}

function shellsOf(task: LoggedTask) {
  const tasks = new Map([["sh_1", task]]);
  const artifacts = memoryArtifacts(() => 0);
  const shells = createShells({
    ...{ platform, artifacts, spawner: platform.spawner({}), notify: () => {} },
    recorder: {
      record: (_, data) => void tasks.set("sh_1", { ...task, finished: data as EventData<"task.finished"> }),
      barrier: async () => {},
    },
    tasks: () => tasks,
  });
  return { shells, tasks };
}

describe("a command whose session was killed", () => {
  it("is lost, ended where it is proven to be the same process, and its output is kept", async () => {
    const task = await left({});
    const { shells, tasks } = shellsOf(task);
    const gone = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
    await shells.adopt(false);
    expect(await gone).toBe("SIGTERM");
    expect(signals).toEqual([[child.pid, "SIGTERM"]]);
    expect(tasks.get("sh_1")?.finished).toMatchObject({
      status: "lost",
      note: expect.stringContaining(`still ran as process ${child.pid} and has been told to end`),
    });
    expect((await shells.read("sh_1"))?.text).toBe("what it printed");
    expect((await shells.read("sh_1"))?.text).toBe("");
    expect(shells.takeNews()).toEqual([]);
    expect(existsSync(dirname(task.started.spool))).toBe(false);
    await shells.close();
  });

  it("is killed where it does not heed the first signal, with the session at the latest", async () => {
    child.kill("SIGKILL");
    child = spawn("bash", ["-c", "trap '' TERM; echo ready; while :; do sleep 1; done"], { detached: true });
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    const { shells } = shellsOf(await left({}));
    await shells.adopt(false);
    const gone = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
    await shells.close();
    expect(await gone).toBe("SIGKILL");
  });

  it.each([
    ["that started at another time", { mark: "boot:1" }, "and so is the command"],
    ["of which nobody knows when it started", { mark: "" }, "cannot be told, so it was left alone"],
  ])("leaves a process alone %s", async (_, more, note) => {
    const { shells, tasks } = shellsOf(await left(more));
    await shells.adopt(false);
    expect(signals).toEqual([]);
    expect(child.exitCode).toBeNull();
    expect(real.signalGroup(child.pid as number, "SIGKILL")).toBe(true);
    expect(tasks.get("sh_1")?.finished).toMatchObject({
      status: "lost",
      note: expect.stringContaining(note),
    });
    expect(shells.takeNews()).toEqual([
      expect.stringMatching(/^\[Background command sh_1 \(sleep 60\): lost/),
    ]);
    expect(shells.takeNews()).toEqual([]);
  });

  it("belongs to the original in a fork, which touches nothing of it", async () => {
    const task = await left({});
    const { shells, tasks } = shellsOf(task);
    await shells.adopt(true);
    expect(signals).toEqual([]);
    expect(tasks.get("sh_1")?.finished).toMatchObject({ status: "left" });
    expect(existsSync(task.started.spool)).toBe(true);
  });

  it("gives a log no power to remove what is no spool of ours", async () => {
    const folder = await mkdtemp(join(tmpdir(), "mine-"));
    await mkdir(join(folder, "castellan-shells-x"));
    const file = join(folder, "castellan-shells-x", "precious");
    await writeFile(file, "mine");
    const { shells } = shellsOf(await left({ spool: file, mark: "" }));
    await shells.adopt(false);
    expect(existsSync(file)).toBe(true);
  });
});
