import { createHash } from "node:crypto";
import { availableParallelism, tmpdir } from "node:os";
import { childProcess } from "./child-process.ts";
import { nodeClock } from "./clock.ts";
import { currentDirectory } from "./current-directory.ts";
import { homeDirectory } from "./home-directory.ts";
import { nodeIds } from "./ids.ts";
import { nodeFiles } from "./node-files.ts";
import { nodeHttp } from "./node-http.ts";
import type { Platform, Spawn } from "./port.ts";
import { signalGroup } from "./process-group.ts";
import { createSpawner } from "./spawner.ts";

/**
 * The platform of this Node process. Every part reads the live machine; nothing is cached.
 *
 * @example
 * const platform = { ...nodePlatform(), homedir: () => "/srv/agent" };
 */
export function nodePlatform(): Platform {
  return {
    clock: nodeClock,
    ids: nodeIds,
    random: () => Math.random(),
    fs: nodeFiles,
    http: nodeHttp(),
    spawn: spawnNode,
    spawner: (env) =>
      createSpawner({ spawn: spawnNode, clock: nodeClock, fs: nodeFiles, os: process.platform }, env),
    signalGroup: (pid, signal) => signalGroup({ pid, leaderGone: false }, signal),
    env: process.env,
    os: process.platform,
    cores: availableParallelism(),
    pid: process.pid,
    homedir: homeDirectory,
    tmpdir: () => tmpdir(),
    cwd: currentDirectory,
    sha256: (bytes) => createHash("sha256").update(bytes).digest("hex"),
  };
}

/** Input is closed unless it is asked for, so a program that asks something ends instead of waiting for ever. */
const spawnNode: Spawn = (command, args, options) =>
  childProcess().spawn(command, [...args], {
    cwd: options.cwd,
    env: { ...options.env },
    detached: options.detached,
    shell: false,
    stdio: [options.input === true ? "pipe" : "ignore", "pipe", "pipe"],
    windowsHide: true,
  });
