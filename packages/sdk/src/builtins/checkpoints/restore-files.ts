import { sep } from "node:path";
import type { Platform } from "../../platform/index.ts";
import {
  type ArtifactStore,
  type CheckpointedFile,
  errorText,
  type FileMark,
  isCastellanError,
} from "../../protocol/index.ts";
import { describeFileError } from "../files/describe-file-error.ts";
import { countLines } from "./count-lines.ts";
import { isSameMark, type Look, lookAt } from "./look-at.ts";
import { putBack } from "./put-back.ts";
import type { RestoreEntry, RestoreOptions, RewoundFile } from "./restore-types.ts";

/** What files are brought back with. */
export interface RestoreDeps {
  readonly platform: Platform;
  readonly artifacts: Pick<ArtifactStore, "get" | "put">;
  /** Records what a rewind is about to change, or has left. Resolves once it is written. */
  record(files: readonly CheckpointedFile[]): Promise<void>;
}

interface Planned {
  readonly entry: RestoreEntry;
  readonly file: RewoundFile;
  readonly now: Look;
  readonly bytes?: Uint8Array;
}

/**
 * Brings paths back to what stood there, one by one: what fails is told and the others go on. What stands there now is
 * kept first, so that a rewind can itself be taken back. Paths that are as they were are not in the answer.
 *
 * @throws what `record` throws; nothing has been changed then.
 */
export async function restoreFiles(
  deps: RestoreDeps,
  entries: readonly RestoreEntry[],
  options: RestoreOptions,
): Promise<RewoundFile[]> {
  const planned: Planned[] = [];
  for (const entry of inOrder(entries)) {
    const plan = await planOne(deps, entry, options);
    if (plan !== undefined) planned.push(plan);
  }
  const files = new Map(planned.map(({ file }) => [file.path, file]));
  const wanted = planned.filter(({ file }) => file.outcome === "would");
  if (options.dryRun || wanted.length === 0) return [...files.values()];

  const kept: Planned[] = [];
  for (const plan of wanted) {
    try {
      if (plan.now.bytes !== undefined) await deps.artifacts.put(plan.now.bytes);
      kept.push(plan);
    } catch (error) {
      const reason = `What stands there now could not be kept: ${errorText(error)}`;
      files.set(plan.file.path, { ...plan.file, outcome: "failed", reason });
    }
  }
  if (kept.length === 0) return [...files.values()];
  await deps.record(kept.map(({ entry, now }) => changeOf(entry, now)));
  const left: CheckpointedFile[] = [];
  for (const { entry, file, now, bytes } of kept) {
    const { path, target } = entry;
    const reason = await tryOne(deps.platform, path, now, target, bytes);
    files.set(
      path,
      reason === undefined ? { ...file, outcome: "done" } : { ...file, outcome: "failed", reason },
    );
    const { mark } = reason === undefined ? { mark: undefined } : await lookAt(deps.platform, path);
    if (mark !== undefined) left.push({ path, after: mark });
  }
  if (left.length > 0) await deps.record(left);
  return [...files.values()];
}

/** What goes away, from the deepest up; then what comes back, from the top down. */
function inOrder(entries: readonly RestoreEntry[]): RestoreEntry[] {
  const depth = ({ path }: RestoreEntry): number => path.split(sep).length;
  const gone = entries.filter(({ target }) => target.kind === "missing");
  const back = entries.filter(({ target }) => target.kind !== "missing");
  return [...gone.sort((a, b) => depth(b) - depth(a)), ...back.sort((a, b) => depth(a) - depth(b))];
}

async function planOne(
  { platform, artifacts }: RestoreDeps,
  entry: RestoreEntry,
  { force }: RestoreOptions,
): Promise<Planned | undefined> {
  const { path, target, last } = entry;
  const now = await lookAt(platform, path);
  if (now.mark !== undefined && isSameMark(now.mark, target)) return undefined;
  const action = target.kind === "missing" ? "remove" : now.mark?.kind === "missing" ? "create" : "restore";
  const plan = (
    outcome: RewoundFile["outcome"],
    reason: string | undefined,
    bytes?: Uint8Array,
  ): Planned => ({
    entry,
    file: {
      ...{ path, action, outcome, insertions: 0, deletions: 0 },
      ...(reason === undefined ? {} : { reason }),
    },
    now,
    ...(bytes === undefined ? {} : { bytes }),
  });
  if (target.kind === "unkept") {
    const isOurs =
      last !== undefined && last.kind !== "unkept" && now.mark !== undefined && isSameMark(now.mark, last);
    return plan("unkept", whyUnkept(target, isOurs));
  }
  const conflict = conflictOf(now.mark, entry);
  if (conflict !== undefined && !force) return plan("conflict", conflict);
  if (now.mark === undefined) return plan("conflict", "Something stands there that is no file.");
  if (now.mark.kind === "unkept" && !force) return plan("conflict", "What stands there now cannot be kept.");
  const bytes = target.kind === "file" ? await load(artifacts, target.hash) : undefined;
  if (typeof bytes === "string") return plan("failed", bytes);
  const planned = plan("would", undefined, bytes);
  const empty = new Uint8Array();
  const count = await countLines(now.bytes ?? empty, bytes ?? empty);
  return { ...planned, file: { ...planned.file, ...count } };
}

function conflictOf(now: FileMark | undefined, { last, untouched }: RestoreEntry): string | undefined {
  if (now !== undefined && untouched !== undefined && isSameMark(now, untouched)) return undefined;
  if (last === undefined) return "The call that changed it was cut off: nobody knows what it left there.";
  if (now !== undefined && isSameMark(now, last)) return undefined;
  return "It has been changed since by somebody else.";
}

function whyUnkept(target: FileMark & { kind: "unkept" }, isOurs: boolean): string {
  const why = {
    too_large: `It was too large to be kept (${target.size ?? 0} bytes).`,
    too_many: "It held too much to be kept whole.",
    unreadable: "It could not be read.",
  }[target.why];
  return isOurs ? `${why} It stays as this session left it.` : why;
}

/** The bytes, or why they are not there. */
async function load(artifacts: Pick<ArtifactStore, "get">, hash: string): Promise<Uint8Array | string> {
  try {
    return (await artifacts.get(hash)) ?? "What it held is no longer in the artifact store.";
  } catch (error) {
    return `What it held could not be read from the artifact store: ${errorText(error)}`;
  }
}

/** Undefined, or why it could not be brought back. */
async function tryOne(
  platform: Platform,
  path: string,
  before: Look,
  target: FileMark,
  bytes: Uint8Array | undefined,
): Promise<string | undefined> {
  try {
    const now = await lookAt(platform, path);
    const same = now.mark !== undefined && before.mark !== undefined && isSameMark(now.mark, before.mark);
    const stayed = same || (before.mark?.kind === "unkept" && now.mark?.kind === "unkept");
    if (!stayed) return "It was changed while the rewind ran.";
    await putBack(platform, path, now, target, bytes);
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException | undefined)?.code === "ENOTEMPTY") {
      return "Other files lie in it, so it stays.";
    }
    return isCastellanError(error) ? error.message : wordsFor(error, path);
  }
}

function wordsFor(error: unknown, path: string): string {
  try {
    return describeFileError(error, path);
  } catch {
    return errorText(error);
  }
}

function changeOf({ path, target }: RestoreEntry, now: Look): CheckpointedFile {
  return { path, ...(now.mark === undefined ? {} : { before: now.mark }), after: target };
}
