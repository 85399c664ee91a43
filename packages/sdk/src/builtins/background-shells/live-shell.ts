import { StringDecoder } from "node:string_decoder";
import type { Platform, Timer } from "../../platform/index.ts";
import type { BackgroundStart, SpawnedProcess, Spawner } from "../../protocol/index.ts";
import { shellArguments, shellEnvironment } from "../bash/shell-script.ts";
import type { Spool } from "./spool.ts";

/** One command that runs, with its output. */
export interface LiveShell {
  readonly pid: number | undefined;
  /** Resolves once it has ended and all output that still comes is in the spool. Undefined: it could not be ended. */
  readonly ended: Promise<Awaited<SpawnedProcess["ended"]> | undefined>;
  /** Lets the line run. Until then the shell waits, and it ends with this process. */
  begin(): void;
  /** Who stopped it. */
  stoppedBy(): string | undefined;
  /** TERM to all of its processes, KILL after `graceMs`. The first caller counts; a shorter grace does too. */
  stop(by: string, graceMs: number): void;
}

/** Once it has ended: what is left of its group, until the signal that cannot be caught. */
const REST_MS = 2_000;
/** After that signal, how long an end is waited for. */
const GIVE_UP_MS = 1_000;

/** Starts a shell in a group of its own, which runs the line when it may begin. Its output goes into the spool, whole characters of both streams as they come. */
export function startShell(
  platform: Platform,
  spawner: Spawner,
  request: BackgroundStart,
  spool: Spool,
): LiveShell {
  const { clock } = platform;
  const decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  let open = true;
  const child = spawner.spawn({
    command: "bash",
    args: shellArguments(request.line, "/dev/null", true),
    isHeld: true,
    cwd: request.cwd,
    env: shellEnvironment(spawner.env, request.cwd),
    isBackground: true,
    onOutput(stream, chunk) {
      if (open) spool.append(decoders[stream].write(Buffer.from(chunk)));
    },
  });
  const timers: Timer[] = [];
  let by: string | undefined;
  let giveUp: () => void = () => {};
  const gaveUp = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined);
  });

  async function follow(): Promise<Awaited<SpawnedProcess["ended"]> | undefined> {
    const ended = await Promise.race([child.ended, gaveUp]);
    open = false;
    for (const timer of timers) timer.cancel();
    for (const decoder of [decoders.stdout, decoders.stderr]) spool.append(decoder.end());
    child.kill("SIGTERM");
    clock.timer(REST_MS, () => child.kill("SIGKILL"), true);
    return ended;
  }

  const shell: LiveShell = {
    pid: child.pid,
    ended: follow(),
    begin: child.begin,
    stoppedBy: () => by,
    stop(who, graceMs) {
      if (!open) return;
      by ??= who;
      child.kill("SIGTERM");
      timers.push(
        clock.timer(graceMs, () => {
          child.kill("SIGKILL");
          timers.push(clock.timer(GIVE_UP_MS, giveUp));
        }),
      );
    },
  };
  const { timeoutMs } = request;
  if (timeoutMs !== undefined) {
    timers.push(
      clock.timer(timeoutMs, () => shell.stop(`Ended after ${timeoutMs} ms, its time limit`, REST_MS)),
    );
  }
  return shell;
}
