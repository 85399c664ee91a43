import {
  type CheckpointDeps,
  lazyCheckpoints,
  type RewoundFile,
  restoreFilesLater,
} from "../../builtins/index.ts";
import type { Platform } from "../../platform/index.ts";
import type { ArtifactStore, Checkpoints, EventStore } from "../../protocol/index.ts";
import { type RewindPlan, rewindPlan, type SessionLog } from "../../sessions/index.ts";

/** How `rewindFiles` goes about it. */
export interface RewindFilesOptions {
  /** Tells what would change, and changes nothing. Default false. */
  readonly dryRun?: boolean;
  /** Also what somebody else has changed since the session last wrote it. Default false: such files are left alone. */
  readonly force?: boolean;
}

/** What `rewindFiles` has done, or with `dryRun` would do. */
export interface RewindFilesResult {
  /** False: nothing was looked at; `error` says why. */
  readonly canRewind: boolean;
  /** Why nothing was done, or which files were not brought back. */
  readonly error?: string;
  /** Absolute paths that were brought back, or would be. */
  readonly filesChanged?: readonly string[];
  /** Lines that come back, and lines that go away, over all of them. */
  readonly insertions?: number;
  readonly deletions?: number;
  /** Every path that is not as it was, with what became of it. */
  readonly files?: readonly RewoundFile[];
}

/** Checkpoints of the files of one session. */
export interface SessionFiles {
  /** Absent where the session keeps none. */
  readonly checkpoints: Checkpoints | undefined;
  /** Rejects with `store_failed` where the log cannot be read or written. */
  rewind(userMessageId: string, options: RewindFilesOptions): Promise<RewindFilesResult>;
}

export function sessionFiles(parts: FileParts): SessionFiles {
  return new Files(parts);
}

interface FileParts {
  readonly platform: Platform;
  readonly store: Pick<EventStore, "read">;
  readonly artifacts: ArtifactStore;
  readonly log: SessionLog;
  /** The option `enableFileCheckpointing`. */
  readonly isOn: boolean;
  readonly notify: CheckpointDeps["notify"];
}

class Files implements SessionFiles {
  readonly checkpoints: Checkpoints | undefined;
  readonly #parts: FileParts;
  #last: Promise<unknown> | undefined;

  constructor(parts: FileParts) {
    this.#parts = parts;
    const { platform, artifacts, log, notify } = parts;
    const userMessageId = (): string | undefined => log.state.userMessageId;
    const deps = { platform, artifacts, recorder: log, userMessageId, notify };
    this.checkpoints = parts.isOn ? lazyCheckpoints(deps) : undefined;
  }

  rewind(id: string, options: RewindFilesOptions): Promise<RewindFilesResult> {
    // Two at once would each take the other for a stranger.
    const run = (this.#last ?? Promise.resolve()).then(() => rewindIn(this.#parts, id, options));
    this.#last = run.catch(() => {});
    return run;
  }
}

async function rewindIn(
  { platform, store, artifacts, log, isOn }: FileParts,
  id: string,
  { dryRun = false, force = false }: RewindFilesOptions,
): Promise<RewindFilesResult> {
  if (isChanging(log))
    return refused("A call that changes something is running. Wait for it, or interrupt().");
  await log.barrier();
  const plan = rewindPlan(await store.read(log.state.sessionId), id);
  if (!plan.ok) return refused(whyNot(plan, id, isOn));
  const record: Parameters<typeof restoreFilesLater>[0]["record"] = async (files) => {
    log.record("file.checkpointed", { messageId: log.state.userMessageId ?? "", files });
    await log.barrier();
  };
  const files = await restoreFilesLater({ platform, artifacts, record }, plan.entries, { dryRun, force });
  return resultOf(files);
}

function isChanging({ state }: SessionLog): boolean {
  const calls = [...(state.round?.calls.values() ?? [])];
  return calls.some(({ started, finished }) => started?.repeatable === false && finished === undefined);
}

function whyNot({ why }: RewindPlan & { ok: false }, id: string, isOn: boolean): string {
  if (why === "no_message") {
    return `There is no message ${JSON.stringify(id)} of a person in this session. Give the uuid of a message of type "user".`;
  }
  return isOn
    ? "This session has changed no file yet."
    : "This session keeps no checkpoints. Start it with the option enableFileCheckpointing.";
}

function refused(error: string): RewindFilesResult {
  return { canRewind: false, error };
}

function resultOf(files: readonly RewoundFile[]): RewindFilesResult {
  const good = files.filter(({ outcome }) => outcome === "done" || outcome === "would");
  const bad = files.filter((file) => !good.includes(file));
  const sum = (key: "insertions" | "deletions"): number => good.reduce((all, file) => all + file[key], 0);
  const named = bad.slice(0, MOST_NAMED).map(({ path, reason }) => `${path}: ${reason ?? ""}`);
  const more = bad.length > named.length ? ` And ${bad.length - named.length} more.` : "";
  return {
    canRewind: true,
    filesChanged: good.map(({ path }) => path),
    insertions: sum("insertions"),
    deletions: sum("deletions"),
    files,
    ...(bad.length === 0 ? {} : { error: `Not brought back: ${named.join(" ")}${more}` }),
  };
}

const MOST_NAMED = 20;
