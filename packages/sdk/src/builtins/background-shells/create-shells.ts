import { join } from "node:path";
import { putArtifact } from "../../artifacts/index.ts";
import { type Platform, processMark } from "../../platform/index.ts";
import {
  type ArtifactRef,
  type ArtifactStore,
  type BackgroundOutput,
  type BackgroundStarted,
  type BackgroundTask,
  type EventData,
  errorText,
  type Recorder,
  type Spawner,
} from "../../protocol/index.ts";
import { adopt, SPOOL_FOLDER } from "./adopt-tasks.ts";
import { type LiveShell, startShell } from "./live-shell.ts";
import type { SessionShells } from "./session-shells.ts";
import { endOf } from "./shell-end.ts";
import { createSpool, type Spool } from "./spool.ts";
import { describeEnd, taskOf } from "./task-words.ts";

/** A background command as the log adds it up. */
export interface LoggedTask {
  readonly started: EventData<"task.started">;
  readonly finished?: EventData<"task.finished">;
}

/** What background commands are run with. */
export interface ShellDeps {
  readonly platform: Platform;
  readonly spawner: Spawner;
  readonly artifacts: ArtifactStore;
  readonly recorder: Recorder;
  /** By id, oldest first: those of the log. */
  tasks(): ReadonlyMap<string, LoggedTask>;
  /** Told when one has ended by itself. */
  readonly listener?: { stir(): void };
  /** For people. Must not throw. */
  notify(level: "warning", message: string): void;
}

interface Running {
  readonly shell: LiveShell;
  /** Resolves once its end is recorded. */
  readonly over: Promise<void>;
}

/** Commands of one session that run at once. */
const MOST_RUNNING = 100;
const STOP_GRACE_MS = 5_000;
const SESSION_GRACE_MS = 2_000;
/** Characters of the end of an output that outlive the session. */
const MOST_ARTIFACT = 1024 * 1024;

/** The background commands of one session. */
export function createShells(deps: ShellDeps): SessionShells {
  const { platform, recorder } = deps;
  const running = new Map<string, Running>();
  const spools = new Map<string, Spool>();
  /** How far each output has been read. */
  const readTo = new Map<string, number>();
  const unheard = new Set<string>();
  /** Ended by a person, the model or the session: whoever did it knows. */
  const stopped = new Set<string>();
  let isNews = false;
  const killers: (() => Promise<void>)[] = [];
  let folder: Promise<string> | undefined;
  let starting = 0;
  let ending = false;

  const get = (id: string): BackgroundTask | undefined => {
    const task = deps.tasks().get(id);
    return task === undefined ? undefined : taskOf(id, task);
  };

  async function makeSpool(id: string): Promise<Spool> {
    folder ??= platform.fs.mkdtemp(join(platform.tmpdir(), SPOOL_FOLDER));
    const made = await folder.catch((error: unknown) => {
      folder = undefined;
      throw error;
    });
    return createSpool(platform, join(made, id));
  }

  async function keepOutput(text: string): Promise<ArtifactRef | undefined> {
    if (text === "") return undefined;
    const end = text.slice(-MOST_ARTIFACT).replace(/^[\udc00-\udfff]/, "");
    try {
      return await putArtifact(deps.artifacts, platform, end, "text/plain");
    } catch (error) {
      deps.notify("warning", `The output of a background command could not be kept: ${errorText(error)}`);
      return undefined;
    }
  }

  async function record(
    id: string,
    end: Omit<EventData<"task.finished">, "taskId" | "output">,
    text: string,
  ) {
    const output = await keepOutput(text);
    recorder.record("task.finished", { taskId: id, ...end, ...(output === undefined ? {} : { output }) });
    unheard.add(id);
  }

  /** From its end to the record of it. Never rejects: nobody waits for it. */
  async function follow(
    id: string,
    shell: LiveShell,
    spool: Spool,
    settle: (() => Promise<void>) | undefined,
  ) {
    try {
      const ended = await shell.ended;
      await settle?.();
      await record(id, endOf(ended, shell.stoppedBy()), spool.read(0).text);
      if (!stopped.has(id) && !ending) {
        isNews = true;
        deps.listener?.stir();
      }
      await recorder.barrier();
    } catch (error) {
      // The log is closed or broken: whoever resumes finds a command that is lost.
      deps.notify(
        "warning",
        `The end of background command ${id} could not be recorded: ${errorText(error)}`,
      );
    } finally {
      spool.close();
      running.delete(id);
    }
  }

  const shells: SessionShells = {
    async start(request): Promise<BackgroundStarted> {
      if (ending) return { ok: false, text: "The session is ending: nothing is started any more." };
      if (running.size + starting >= MOST_RUNNING) {
        const text = `${MOST_RUNNING} background commands run already, the most there may be. End one with KillShell first.`;
        return { ok: false, text };
      }
      starting += 1;
      try {
        const id = platform.ids.short("sh");
        const spool = await makeSpool(id).catch((error: unknown) => errorText(error));
        if (typeof spool === "string") {
          return { ok: false, text: `The command was not started: its output could not be kept: ${spool}` };
        }
        const shell = startShell(platform, deps.spawner, request, spool);
        if (shell.pid === undefined) {
          const ended = await shell.ended;
          spool.close();
          return { ok: false, text: ended?.kind === "failed" ? ended.message : "bash could not be started." };
        }
        const { callId, line: command, description, cwd } = request;
        const mark = (await processMark(platform, shell.pid).catch(() => undefined)) ?? "";
        try {
          recorder.record("task.started", {
            ...{ taskId: id, kind: "shell", callId, command, cwd, pid: shell.pid, mark, spool: spool.path },
            ...(description === undefined ? {} : { description }),
          });
          spools.set(id, spool);
          running.set(id, { shell, over: follow(id, shell, spool, request.settle) });
          if (ending) shell.stop("Ended with its session", SESSION_GRACE_MS);
          await recorder.barrier();
        } catch (error) {
          shell.stop("Its start could not be recorded", SESSION_GRACE_MS);
          if (!running.has(id)) spool.close();
          throw error;
        }
        // A process that is killed before this leaves no command that no log knows of.
        shell.begin();
        const task = get(id);
        if (task === undefined) return { ok: false, text: "The command could not be recorded." };
        return { ok: true, task };
      } finally {
        starting -= 1;
      }
    },
    get,
    list: () => [...deps.tasks()].map(([id, task]) => taskOf(id, task)),
    async read(id, options = {}): Promise<BackgroundOutput | undefined> {
      const logged = deps.tasks().get(id);
      if (logged === undefined) return undefined;
      const spool = spools.get(id);
      const from = readTo.get(id) ?? 0;
      const isRunning = running.has(id) && logged.finished === undefined;
      if (spool === undefined) {
        const { text, fault } = from > 0 ? { text: "" } : await storedOutput(deps.artifacts, logged);
        readTo.set(id, 1);
        unheard.delete(id);
        return { task: taskOf(id, logged), text, dropped: 0, ...(fault === undefined ? {} : { fault }) };
      }
      const piece = spool.read(from);
      const { dropped } = piece;
      const end =
        options.wholeLines === true && isRunning ? piece.text.lastIndexOf("\n") + 1 : piece.text.length;
      const text = piece.text.slice(0, end);
      readTo.set(id, spool.total() - Buffer.byteLength(piece.text.slice(end)));
      if (!isRunning) unheard.delete(id);
      const problem = spool.fault();
      const fault =
        problem === undefined
          ? {}
          : {
              fault: `Its output could not be written to the disk (${problem}): only the last 64 KiB are kept.`,
            };
      return { task: taskOf(id, logged), text, dropped, ...fault };
    },
    async wait(id, timeoutMs, signal) {
      const over = running.get(id)?.over;
      if (over === undefined || signal.aborted) return;
      let done: () => void = () => {};
      const early = new Promise<void>((resolve) => {
        done = resolve;
      });
      const timer = platform.clock.timer(timeoutMs, done);
      signal.addEventListener("abort", done, { once: true });
      await Promise.race([over, early]);
      timer.cancel();
      signal.removeEventListener("abort", done);
    },
    async stop(id, by, isTold) {
      const live = running.get(id);
      stopped.add(id);
      live?.shell.stop(by, STOP_GRACE_MS);
      await live?.over;
      if (live !== undefined && isTold) unheard.delete(id);
      return get(id);
    },
    hasNews: () => isNews && unheard.size > 0,
    takeNews() {
      isNews = false;
      if (unheard.size === 0) return NOTHING;
      const news = [...unheard].flatMap((id) => {
        const task = get(id);
        return task === undefined ? [] : [describeEnd(task)];
      });
      unheard.clear();
      return news;
    },
    async adopt(isFork) {
      for (const [id, { started, finished }] of [...deps.tasks()]) {
        if (finished !== undefined || running.has(id)) continue;
        if (isFork) {
          const note = "It belongs to the session that this one was forked from.";
          await record(id, { status: "left", note }, "");
          continue;
        }
        const { note, output, kill } = await adopt(platform, started);
        if (kill !== undefined) killers.push(kill);
        await record(id, { status: "lost", note }, output?.text ?? "");
      }
    },
    async close() {
      ending = true;
      for (const { shell } of running.values()) shell.stop("Ended with its session", SESSION_GRACE_MS);
      await Promise.all([...running.values()].map(({ over }) => over));
      await Promise.all(killers.map((kill) => kill().catch(() => {})));
      const made = await folder?.catch(() => undefined);
      if (made !== undefined) await platform.fs.rm(made, { recursive: true, force: true }).catch(() => {});
    },
  };
  return shells;
}

const NOTHING: readonly string[] = [];

/** The output of a command of an earlier run. */
async function storedOutput(
  artifacts: Pick<ArtifactStore, "get">,
  { finished }: LoggedTask,
): Promise<{ readonly text: string; readonly fault?: string }> {
  if (finished?.output === undefined) return { text: "" };
  const bytes = await artifacts.get(finished.output.hash).catch(() => undefined);
  if (bytes === undefined) return { text: "", fault: "Its output is no longer in the artifact store." };
  return { text: Buffer.from(bytes).toString("utf8") };
}
