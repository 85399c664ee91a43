import { dirname } from "node:path";
import type { Platform } from "../../platform/index.ts";
import {
  type ArtifactStore,
  type CheckpointedFile,
  type Checkpoints,
  errorText,
  type FileMark,
  type LineCheckpoint,
  type Recorder,
} from "../../protocol/index.ts";
import { type LinePlace, placesOfLine } from "./line-places.ts";
import { lookAt } from "./look-at.ts";
import { MOST_PATHS, takeIn } from "./take-in.ts";

/** What checkpoints are made with. */
export interface CheckpointDeps {
  readonly platform: Platform;
  readonly artifacts: Pick<ArtifactStore, "put">;
  readonly recorder: Recorder;
  /** `id` of the last message of a person. */
  userMessageId(): string | undefined;
  /** For people. Must not throw. */
  notify(level: "warning", message: string): void;
}

/** Checkpoints of one session: bytes go into the artifact store, marks into the log. */
export function createCheckpoints(deps: CheckpointDeps): Checkpoints {
  const { platform, artifacts, recorder } = deps;

  function record(callId: string, files: readonly CheckpointedFile[]): void {
    if (files.length === 0) return;
    recorder.record("file.checkpointed", { messageId: deps.userMessageId() ?? "", callId, files });
  }

  /** A file that a call makes brings the folders above it along. */
  async function missingFolders(path: string): Promise<CheckpointedFile[]> {
    const made: CheckpointedFile[] = [];
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      const { mark } = await lookAt(platform, folder, 0);
      if (mark?.kind !== "missing") break;
      made.unshift({ path: folder, before: mark, after: { kind: "directory" } });
    }
    return made;
  }

  async function baselineOf(path: string): Promise<FileMark | undefined> {
    const { mark, bytes } = await lookAt(platform, path);
    if (bytes !== undefined) await artifacts.put(bytes);
    if (mark?.kind === "unkept") deps.notify("warning", notKept(path, mark));
    return mark;
  }

  async function marksNow(paths: readonly string[]): Promise<CheckpointedFile[]> {
    const files: CheckpointedFile[] = [];
    for (const path of paths) {
      const { mark } = await lookAt(platform, path);
      if (mark !== undefined) files.push({ path, after: mark });
    }
    return files;
  }

  /** @param places those that were taken in whole: what is new in them was made by the line. */
  async function leftBy(
    callId: string,
    places: readonly LinePlace[],
    before: ReadonlyMap<string, FileMark>,
  ): Promise<void> {
    const after = await takeIn(platform, places, async () => {});
    const made = [...after.marks].filter(([path]) => !before.has(path));
    const known = [...before.keys()].filter((path) => !after.marks.has(path));
    record(callId, [
      ...[...after.marks].filter(([path]) => before.has(path)).map(([path, mark]) => ({ path, after: mark })),
      ...(await marksNow(known)),
      ...made.map(([path, mark]) => ({ path, before: { kind: "missing" } as const, after: mark })),
    ]);
  }

  return {
    async before(callId, changes) {
      try {
        const files: CheckpointedFile[] = [];
        for (const { path, after } of changes) {
          const before = await baselineOf(path);
          if (before === undefined) continue;
          if (before.kind === "missing") files.push(...(await missingFolders(path)));
          files.push({ path, before, after });
        }
        record(callId, files);
        await recorder.barrier();
        return undefined;
      } catch (error) {
        return refusal(error);
      }
    },
    undone: (callId, paths) => quietly(async () => record(callId, await marksNow(paths))),
    async beforeLine(callId, targets) {
      try {
        const places = await placesOfLine(platform, targets);
        if (places.length === 0) return { ok: true, line: NOTHING };
        const { marks, cut } = await takeIn(platform, places, (bytes) => artifacts.put(bytes));
        for (const [path, mark] of marks) {
          if (mark.kind === "unkept") deps.notify("warning", notKept(path, mark));
        }
        const before = new Map<string, FileMark>();
        for (const [path, mark] of marks) {
          const folders = mark.kind === "missing" ? await missingFolders(path) : [];
          for (const folder of folders) before.set(folder.path, { kind: "missing" });
          before.set(path, mark);
        }
        record(
          callId,
          [...before].map(([path, mark]) => ({ path, before: mark })),
        );
        await recorder.barrier();
        const whole = places.filter(({ path }) => !cut.includes(path));
        return { ok: true, line: { settle: () => quietly(() => leftBy(callId, whole, before)) } };
      } catch (error) {
        return { ok: false, text: refusal(error) };
      }
    },
  };

  /** The change has happened: what is not known of it shows as a conflict in a rewind. */
  async function quietly(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => {
      deps.notify("warning", `What a call left could not be recorded for a rewind: ${errorText(error)}`);
    });
  }
}

const NOTHING: LineCheckpoint = { settle: async () => {} };

function refusal(error: unknown): string {
  return `The checkpoint of what this would change could not be kept, so nothing was done: ${errorText(error)}`;
}

function notKept(path: string, mark: FileMark & { kind: "unkept" }): string {
  if (mark.why === "too_many") {
    return `${path} holds more than a checkpoint keeps (${MOST_PATHS} entries or 64 MiB a command): rewindFiles cannot bring all of it back.`;
  }
  const why = mark.why === "too_large" ? `is too large (${mark.size ?? 0} bytes)` : "could not be read";
  return `${path} ${why} for a checkpoint: rewindFiles cannot bring it back.`;
}
