import type { Stats } from "node:fs";
import { dirname } from "node:path";
import { OPEN_FLAGS, type Platform } from "../../platform/index.ts";
import { CastellanError, type FileMark } from "../../protocol/index.ts";
import { makeParents } from "../../workspace/index.ts";
import type { JudgedPath } from "../files/judged-path.ts";
import { createFile, replaceFile, type Stored } from "../files/store-file.ts";
import { swapIn } from "../files/swap-in.ts";
import { type Look, PERMISSIONS } from "./look-at.ts";

/**
 * Brings one path to a state. No link is followed, neither on the way nor at the end.
 *
 * @param now what stands there, looked at in this moment.
 * @param bytes of the file to bring back.
 * @throws errors of the file system, and CastellanError `path_changed`.
 */
export async function putBack(
  platform: Platform,
  path: string,
  now: Look,
  target: FileMark,
  bytes: Uint8Array | undefined,
): Promise<void> {
  const { fs } = platform;
  await proveFolder(platform, path);
  const judged = judgedAs(path, now.stats);
  if (target.kind === "file" && now.mark?.kind === "file" && now.stats !== undefined && bytes !== undefined) {
    await rewrite(platform, judged, now, target, bytes);
    return;
  }
  if (target.kind === "directory" && now.mark?.kind === "directory") {
    await setMode(platform, path, target.mode);
    return;
  }
  if (now.mark?.kind !== "missing") await takeAway(platform, path);
  if (target.kind === "missing") return;
  const empty = judgedAs(path, undefined);
  await makeParents(fs, empty);
  if (target.kind === "link") await fs.symlink(target.target, path);
  else if (target.kind === "directory") {
    await fs.mkdir(path);
    await setMode(platform, path, target.mode);
  } else if (target.kind === "file" && bytes !== undefined) {
    must(await createFile(platform, empty, bytes));
    await setMode(platform, path, target.mode);
  }
}

async function rewrite(
  platform: Platform,
  path: JudgedPath,
  now: Look,
  target: FileMark & { kind: "file" },
  bytes: Uint8Array,
): Promise<void> {
  const { stats, mark, bytes: old = new Uint8Array() } = now;
  if (stats === undefined || mark?.kind !== "file") return;
  if (mark.hash !== target.hash) {
    const like = withMode(stats, target.mode);
    // A file that may not be written can still be replaced: its folder decides that.
    const swapped = stats.nlink === 1 && (await swapIn(platform, path, bytes, like));
    if (!swapped) must(await replaceFile(platform, path, bytes, { bytes: old, digest: mark.hash, stats }));
  }
  await setMode(platform, path.real, target.mode);
}

function withMode(stats: Stats, mode: number | undefined): Stats {
  if (mode === undefined) return stats;
  const like: Stats = Object.assign(Object.create(Object.getPrototypeOf(stats)), stats);
  like.mode = (stats.mode & ~PERMISSIONS) | mode;
  return like;
}

/** Only an empty folder goes: what else lies in it is nobody's to remove. */
async function takeAway({ fs }: Platform, path: string): Promise<void> {
  if ((await fs.lstat(path)).isDirectory()) await fs.rmdir(path);
  else await fs.unlink(path);
}

async function setMode({ fs }: Platform, path: string, mode: number | undefined): Promise<void> {
  if (mode === undefined) return;
  const stats = await fs.lstat(path);
  if ((stats.mode & PERMISSIONS) === mode) return;
  // `chmod` of a path would follow a link. What may not be opened is only reached by its path.
  const flags = OPEN_FLAGS.read | OPEN_FLAGS.noFollow | OPEN_FLAGS.nonBlock;
  const handle = await fs.open(path, flags).catch(() => undefined);
  if (handle === undefined) {
    if (stats.isSymbolicLink()) throw moved(path);
    await fs.chmod(path, mode);
    return;
  }
  try {
    await handle.chmod(mode);
  } finally {
    await handle.close();
  }
}

/** No folder above a path may have become a link since it was recorded. */
async function proveFolder({ fs }: Platform, path: string): Promise<void> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const real = await fs.realpath(folder).catch(() => undefined);
    if (real === folder) return;
    if (real !== undefined) throw moved(path);
    // A link to nowhere has no real path, and is there all the same.
    if ((await fs.lstat(folder).catch(() => undefined)) !== undefined) throw moved(path);
    if (folder === dirname(folder)) return;
  }
}

function moved(path: string): CastellanError {
  return new CastellanError("path_changed", `A link lies on the way to ${path} by now.`, {
    subject: path,
    fix: "Look where it leads, and bring the file back by hand.",
  });
}

function judgedAs(path: string, stats: Stats | undefined): JudgedPath {
  const identity = stats === undefined ? {} : { identity: { dev: stats.dev, ino: stats.ino } };
  return { given: path, real: path, hops: [], exists: stats !== undefined, inside: true, ...identity };
}

function must(stored: Stored): void {
  if (!stored.ok) throw new CastellanError("path_changed", stored.text);
}
