import { basename, dirname } from "node:path";
import { type Platform, processMark } from "../../platform/index.ts";
import type { EventData } from "../../protocol/index.ts";
import { readSpool, type SpoolPiece } from "./spool.ts";

type Started = EventData<"task.started">;

/** Folders of spools begin with this name. */
export const SPOOL_FOLDER = "castellan-shells-";

const GRACE_MS = 2_000;

/** What is known of a command whose process had started it and is gone. */
export interface Adopted {
  readonly note: string;
  readonly output: SpoolPiece | undefined;
  /** It was told to end: kills it where it has not. */
  readonly kill?: () => Promise<void>;
}

/**
 * Deals with a command of a process that is gone. It is ended only where the system proves that it is still the same
 * process; its output is read, and its file removed.
 */
export async function adopt(platform: Platform, task: Started): Promise<Adopted> {
  const output = await readSpool(platform, task.spool);
  const end = await endProven(platform, task);
  await removeSpool(platform, task.spool);
  return { ...end, output };
}

async function endProven(platform: Platform, { pid, mark }: Started): Promise<Omit<Adopted, "output">> {
  const now = await processMark(platform, pid);
  const gone = "The process that had started it is gone";
  if (now === undefined) return { note: `${gone}, and so is the command.` };
  if (mark === "" || now === "") {
    return {
      note: `${gone}. Whether process ${pid} is still this command cannot be told, so it was left alone.`,
    };
  }
  if (now !== mark) return { note: `${gone}, and so is the command.` };
  platform.signalGroup(pid, "SIGTERM");
  const kill = (): Promise<void> => killIfSame(platform, pid, mark);
  platform.clock.timer(GRACE_MS, () => void kill().catch(() => {}), true);
  return { note: `${gone}. The command still ran as process ${pid} and has been told to end.`, kill };
}

async function killIfSame(platform: Platform, pid: number, mark: string): Promise<void> {
  if ((await processMark(platform, pid)) === mark) platform.signalGroup(pid, "SIGKILL");
}

/** The path comes out of a log: only what looks like a folder of ours, in the place of ours, is removed. */
async function removeSpool(platform: Platform, spool: string): Promise<void> {
  const folder = dirname(spool);
  if (!basename(folder).startsWith(SPOOL_FOLDER) || dirname(folder) !== platform.tmpdir()) return;
  const { fs } = platform;
  const own = await fs.lstat(folder).catch(() => undefined);
  if (own?.isDirectory() !== true) return;
  await fs.rm(spool, { force: true }).catch(() => {});
  // Other commands may have theirs in it: only the last one takes the folder along.
  await fs.rmdir(folder).catch(() => {});
}
