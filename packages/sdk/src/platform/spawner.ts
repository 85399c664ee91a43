import type { ChildProcess } from "node:child_process";
import type { SpawnedProcess, Spawner, SpawnRequest } from "../protocol/index.ts";
import { dropGroup, keepGroup, settleGroup } from "./living-groups.ts";
import type { Platform } from "./port.ts";
import { type ProcessGroup, signalGroup } from "./process-group.ts";

type Ending = Awaited<SpawnedProcess["ended"]>;
type SpawnerDeps = Pick<Platform, "spawn" | "clock" | "fs" | "os">;

/** How long the output of an exited program may stay open because a descendant still holds it. */
const HELD_OUTPUT_MS = 250;

/** Starts every program as the leader of its own process group, without input unless it is held. */
export function createSpawner(deps: SpawnerDeps, env: Readonly<Record<string, string>>): Spawner {
  return { env, spawn: (request) => start(deps, request) };
}

function start(deps: SpawnerDeps, request: SpawnRequest): SpawnedProcess {
  let child: ChildProcess;
  try {
    child = deps.spawn(request.command, request.args, {
      cwd: request.cwd,
      env: request.env,
      detached: deps.os !== "win32",
      ...(request.isHeld === true ? { input: true } : {}),
    });
  } catch (error) {
    return unstarted(failure(request, error));
  }
  const pid = child.pid;
  if (pid === undefined) {
    const failed = new Promise<Ending>((resolve) => {
      child.once("error", (error) => resolve(explain(deps, request, error)));
    });
    return unstarted(failed);
  }
  if (request.isHeld === true && child.stdin === null) {
    child.kill("SIGKILL");
    return unstarted(
      failure(request, new Error("platform.spawn gave it no input although that was asked for")),
    );
  }
  // It may be gone before it is given its input.
  child.stdin?.on("error", () => {});
  const group: ProcessGroup = { pid, leaderGone: false };
  keepGroup(group);
  const kill = (signal: "SIGTERM" | "SIGKILL"): void => {
    if (!signalGroup(group, signal)) dropGroup(group);
  };
  const begin = (): void => void child.stdin?.end("\n");
  return { pid, ended: follow(deps, request, child, group), kill, begin };
}

function follow(
  deps: SpawnerDeps,
  request: SpawnRequest,
  child: ChildProcess,
  group: ProcessGroup,
): Promise<Ending> {
  let broken: unknown;
  const forward = (stream: "stdout" | "stderr", chunk: Uint8Array): void => {
    if (broken !== undefined) return;
    try {
      request.onOutput(stream, chunk);
    } catch (error) {
      // A throw inside a stream's listener would end the whole process.
      broken = error ?? new Error("onOutput threw");
      signalGroup(group, "SIGKILL");
    }
  };
  child.stdout?.on("data", (chunk: Uint8Array) => forward("stdout", chunk));
  child.stderr?.on("data", (chunk: Uint8Array) => forward("stderr", chunk));
  child.stdout?.on("error", () => {});
  child.stderr?.on("error", () => {});
  child.on("error", () => {});

  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      settleGroup(group);
      const finish = (): void => {
        held.cancel();
        resolve(broken === undefined ? { kind: "exit", code, signal } : failure(request, broken));
      };
      const letGo = (): void => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        finish();
      };
      // One more turn of the event loop reads what already arrived, also after a long blockage.
      const held = deps.clock.timer(HELD_OUTPUT_MS, () => void setImmediate(letGo));
      child.once("close", finish);
    });
  });
}

function unstarted(ended: Ending | Promise<Ending>): SpawnedProcess {
  return { pid: undefined, ended: Promise.resolve(ended), kill: () => {}, begin: () => {} };
}

/** Node reports a missing working directory as a missing program. */
async function explain(deps: SpawnerDeps, request: SpawnRequest, error: Error): Promise<Ending> {
  const directory = await deps.fs.stat(request.cwd).catch(() => undefined);
  if (directory?.isDirectory()) return failure(request, error);
  return failure(request, new Error(`its working directory ${request.cwd} is missing or no directory`));
}

function failure(request: SpawnRequest, error: unknown): Ending {
  const code = (error as NodeJS.ErrnoException).code;
  const message = error instanceof Error ? error.message : String(error);
  const why = code === "ENOENT" ? "no such program is installed or on the PATH" : message;
  return { kind: "failed", message: `${request.command} could not be run: ${why}.` };
}
