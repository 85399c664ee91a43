import { join } from "node:path";
import { OPEN_FLAGS, type Platform, type Timer } from "../../platform/index.ts";
import type { Spawner } from "../../protocol/index.ts";
import { type CollectedOutput, collectOutput } from "./collect-output.ts";
import { shellArguments, shellEnvironment } from "./shell-script.ts";

export interface ShellRun {
  readonly line: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Gets each piece of output as it comes. */
  onText(text: string): void;
}

export interface ShellOutcome {
  readonly output: CollectedOutput;
  readonly end:
    | { readonly kind: "exit"; readonly code: number }
    | { readonly kind: "killed"; readonly signal: string }
    | { readonly kind: "timeout" | "interrupted" }
    | { readonly kind: "failed"; readonly message: string };
  /** Where the shell was when it ended; undefined when it did not tell. */
  readonly cwd: string | undefined;
}

/** From the polite signal to the one that cannot be caught. */
const GRACE_MS = 2_000;
/** After that one, how long an answer is waited for. */
const GIVE_UP_MS = 1_000;

/** Bytes of a path and its line end, more than any system takes. */
const MOST_NOTE = 64 * 1024;

/** Runs a line in a shell of its own and leaves no process of it behind. */
export async function runShell(platform: Platform, spawner: Spawner, run: ShellRun): Promise<ShellOutcome> {
  const folder = await platform.fs.mkdtemp(join(platform.tmpdir(), "castellan-sh-"));
  const cwdFile = join(folder, "cwd");
  try {
    await platform.fs.writeFile(cwdFile, "", { mode: 0o600 });
    const outcome = await follow(platform, spawner, run, cwdFile);
    if (outcome.end.kind !== "exit") return outcome;
    const written = await readNote(platform, cwdFile).catch(() => "");
    const cwd = written.endsWith("\n") ? written.slice(0, -1) : "";
    return { ...outcome, cwd: cwd.startsWith("/") ? cwd : undefined };
  } finally {
    // What the line left there may refuse to go; its result counts all the same.
    await platform.fs.rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** The line can find the file, and may have put a pipe, a link or an endless thing in its place. */
async function readNote(platform: Platform, file: string): Promise<string> {
  const flags = OPEN_FLAGS.read | OPEN_FLAGS.noFollow | OPEN_FLAGS.nonBlock;
  const handle = await platform.fs.open(file, flags);
  try {
    if (!(await handle.stat()).isFile()) return "";
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_NOTE), 0, MOST_NOTE, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function follow(
  platform: Platform,
  spawner: Spawner,
  run: ShellRun,
  cwdFile: string,
): Promise<ShellOutcome> {
  const collector = collectOutput(run.onText);
  let closed = false;
  const child = spawner.spawn({
    command: "bash",
    args: shellArguments(run.line, cwdFile),
    cwd: run.cwd,
    env: shellEnvironment(spawner.env, run.cwd),
    onOutput: (stream, chunk) => {
      if (!closed) collector.push(stream, chunk);
    },
  });
  const timers: Timer[] = [];
  const after = (ms: number, fire: () => void): void => void timers.push(platform.clock.timer(ms, fire));
  let cause: "timeout" | "interrupted" | undefined;
  let giveUp: () => void = () => {};
  const gaveUp = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined);
  });
  const stop = (why: "timeout" | "interrupted"): void => {
    if (cause !== undefined) return;
    cause = why;
    child.kill("SIGTERM");
    after(GRACE_MS, () => {
      child.kill("SIGKILL");
      after(GIVE_UP_MS, giveUp);
    });
  };
  const interrupt = (): void => stop("interrupted");
  after(run.timeoutMs, () => stop("timeout"));
  run.signal.addEventListener("abort", interrupt, { once: true });
  if (run.signal.aborted) interrupt();
  const ended = await Promise.race([child.ended, gaveUp]);
  closed = true;
  run.signal.removeEventListener("abort", interrupt);
  for (const timer of timers) timer.cancel();
  endRest(platform, child);
  return { output: collector.finish(), end: endOf(cause, ended), cwd: undefined };
}

/** What the line left running in its group goes as well; the second signal is for those that ignore the first. */
function endRest(platform: Platform, child: ReturnType<Spawner["spawn"]>): void {
  child.kill("SIGTERM");
  platform.clock.timer(GRACE_MS, () => child.kill("SIGKILL"), true);
}

function endOf(
  cause: "timeout" | "interrupted" | undefined,
  ended: Awaited<ReturnType<Spawner["spawn"]>["ended"]> | undefined,
): ShellOutcome["end"] {
  if (ended?.kind === "failed") return ended;
  if (cause !== undefined) return { kind: cause };
  if (ended === undefined || ended.code === null)
    return { kind: "killed", signal: ended?.signal ?? "SIGKILL" };
  return { kind: "exit", code: ended.code };
}
