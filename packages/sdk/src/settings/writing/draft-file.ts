import { basename, dirname, join } from "node:path";
import type { Platform } from "../../platform/index.ts";

const PAUSE_MS = 20;
/** Pauses after which a draft that nobody touches was left by a program that died. */
const STALE_AFTER = 100;

/**
 * Writes a draft beside a file and hands it on. Its name is the same for every program, and only one can make it: while
 * it is there, no other of ours writes the file.
 *
 * @param use takes the draft away and gives true; else it is removed.
 */
export async function draftFile(
  { fs, clock }: Pick<Platform, "fs" | "clock">,
  path: string,
  text: string,
  mode: number,
  use: (draft: string) => Promise<boolean>,
): Promise<boolean> {
  const draft = join(dirname(path), `.${basename(path)}.castellan-draft`);
  const handle = await openAlone(
    fs,
    draft,
    mode,
    () => new Promise((go) => clock.timer(PAUSE_MS, () => go())),
  );
  let taken = false;
  try {
    try {
      await handle.writeFile(text);
      // The umask had its say when the file was made.
      await handle.chmod(mode);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    taken = await use(draft);
    return taken;
  } finally {
    // Once it is taken away, the next program may make its own.
    if (!taken) await fs.rm(draft, { force: true });
  }
}

async function openAlone(
  fs: Platform["fs"],
  draft: string,
  mode: number,
  pause: () => Promise<void>,
): Promise<Awaited<ReturnType<Platform["fs"]["open"]>>> {
  let seen = "";
  for (let same = 0; ; same += 1) {
    try {
      return await fs.open(draft, "wx", mode);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const now = await fs.lstat(draft).then(
      ({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`,
      () => "",
    );
    if (now !== seen) same = 0;
    seen = now;
    if (same >= STALE_AFTER) await fs.rm(draft, { force: true });
    await pause();
  }
}
