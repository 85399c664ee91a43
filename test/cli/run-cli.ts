import { type ChildProcess, spawn } from "node:child_process";
import { built } from "../setup/built.ts";
import type { Scratch } from "./scratch.ts";

export interface CliOptions {
  /** Given on standard input, which ends behind it. Default: nothing. Null leaves it open. */
  readonly input?: string | Uint8Array | null;
  /** A file descriptor for standard output instead of a pipe. */
  readonly stdout?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Called with the process as soon as it runs. */
  started?(child: ChildProcess): void;
  /** Called with all that standard output has so far, at each piece. */
  out?(text: string, child: ChildProcess): void;
}

export interface CliEnd {
  /** Null after a signal. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** From the last piece of standard output to the end of the process. */
  readonly msAfterOutput: number;
}

/** The environment of a command: nothing of the caller's but the way to programs. */
export function cliEnv(place: Scratch, extra: CliOptions["env"] = {}): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env;
  return {
    PATH,
    SystemRoot,
    HOME: place.home,
    USERPROFILE: place.home,
    CASTELLAN_HOME: place.home,
    TMPDIR: place.tmp,
    ...extra,
  };
}

/** Runs the command line as a process without a terminal, in the scratch's work folder. */
export async function runCli(
  place: Scratch,
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliEnd> {
  const { bin } = await built();
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: place.work,
    env: cliEnv(place, options.env),
    stdio: ["pipe", options.stdout ?? "pipe", "pipe"],
  });
  options.started?.(child);
  let stdout = "";
  let stderr = "";
  let lastOutput = performance.now();
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    stdout += text;
    lastOutput = performance.now();
    options.out?.(stdout, child);
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  child.stdin?.on("error", () => {});
  if (options.input !== null) child.stdin?.end(options.input ?? "");
  return new Promise((resolve, reject) => {
    let msAfterOutput = 0;
    child.on("error", reject);
    child.on("exit", () => {
      msAfterOutput = performance.now() - lastOutput;
    });
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr, msAfterOutput }));
  });
}
