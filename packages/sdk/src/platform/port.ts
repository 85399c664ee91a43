import type { ChildProcess } from "node:child_process";
import type * as fs from "node:fs";
import type * as fsp from "node:fs/promises";
import type { Spawner } from "../protocol/index.ts";
import type { Clock, Timer } from "./clock-port.ts";
import type { Http } from "./http-port.ts";

export type { Clock, Timer };

export interface Ids {
  /** A UUID, version 7: later ones sort behind earlier ones, also inside one millisecond. */
  uuid(): string;
  /** `prefix_` and 12 random characters of `[a-z0-9]`. */
  short(prefix: string): string;
}

/**
 * The parts of `node:fs/promises` and `node:fs` that rooms use. A replacement may keep everything in memory.
 *
 * The synchronous ones are for small calls that the system answers from memory, on paths that this program chose:
 * they cost a tenth of a round trip through the thread pool. What makes a file or a folder can wait for the disk, so it
 * is not among them; `openSync` opens what is there.
 */
export type FileSystem = AsyncFiles &
  SyncFiles & {
    /**
     * Calls `listener` when something in a folder changes, as far as the system tells; gives what ends that. It does not
     * keep the process alive, and throws where there is no such folder. Absent: nobody tells.
     */
    readonly watchFolder?: (path: string, listener: () => void) => () => void;
  };

type AsyncFiles = Pick<
  typeof fsp,
  | "access"
  | "chmod"
  | "link"
  | "lstat"
  | "mkdir"
  | "mkdtemp"
  | "open"
  | "opendir"
  | "readFile"
  | "readdir"
  | "readlink"
  | "realpath"
  | "rename"
  | "rm"
  | "rmdir"
  | "stat"
  | "symlink"
  | "truncate"
  | "unlink"
  | "utimes"
  | "writeFile"
>;

type SyncFiles = Pick<
  typeof fs,
  | "closeSync"
  | "fstatSync"
  | "ftruncateSync"
  | "linkSync"
  | "lstatSync"
  | "openSync"
  | "readSync"
  | "readdirSync"
  | "statSync"
  | "unlinkSync"
  | "writeSync"
> & {
  /** `realpathSync.native` of Node: the system's own answer. */
  readonly realpathSync: (path: string) => string;
  /** Resolves when the data of an open file, and its size, are on the disk. */
  readonly fdatasync: (descriptor: number) => Promise<void>;
};

/** Starts a program without a shell; `spawner()` is what tools get of it. */
export type Spawn = (
  command: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    /** In a process group of its own. */
    readonly detached: boolean;
    /** Its standard input is a pipe. Default: it has none. */
    readonly input?: boolean;
  },
) => ChildProcess;

/** Everything ambient that the SDK touches. Give `options.platform` to replace parts of it. */
export interface Platform {
  readonly clock: Clock;
  readonly ids: Ids;
  /** At least 0, less than 1. */
  random(): number;
  readonly fs: FileSystem;
  readonly spawn: Spawn;
  readonly http: Http;
  /** Process groups for tools, over `spawn`. */
  spawner(env: Readonly<Record<string, string>>): Spawner;
  /**
   * Sends a signal to the process group that `pid` leads and to what it has started outside of it. Says whether anything
   * was there. The caller has proved whose process it is.
   */
  signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly os: NodeJS.Platform;
  /** How many programs the machine runs at the same moment; at least 1. */
  readonly cores: number;
  readonly pid: number;
  homedir(): string;
  tmpdir(): string;
  cwd(): string;
  /** SHA-256 in hex. */
  sha256(bytes: Uint8Array | string): string;
}
