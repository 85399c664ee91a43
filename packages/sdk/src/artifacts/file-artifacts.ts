import { join } from "node:path";
import type { Platform } from "../platform/index.ts";
import { type ArtifactStore, CastellanError } from "../protocol/index.ts";

const HASH = /^[0-9a-f]{64}$/;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/**
 * Blobs as files, named by their SHA-256 in folders of its first two characters. Only the owner may
 * read them. A blob is written aside and renamed, so a reader sees all of it or nothing.
 *
 * @param directory absolute; made when the first blob comes.
 * @throws CastellanError `store_failed` from `put` when the disk refuses, `artifact_invalid` from
 *   `get` when the bytes of a file are no longer those that its name stands for.
 */
export function fileArtifacts(platform: Platform, directory: string): ArtifactStore {
  const { fs } = platform;
  const folderOf = (hash: string): string => join(directory, hash.slice(0, 2));
  const pathOf = (hash: string): string => join(folderOf(hash), hash);

  /** By the clock that `evict` goes by, which may not be that of the disk. */
  const stamp = (path: string): Promise<void> => {
    const now = new Date(platform.clock.now());
    return fs.utimes(path, now, now);
  };

  const write = async (hash: string, bytes: Uint8Array): Promise<void> => {
    const folder = folderOf(hash);
    await fs.mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    const part = join(folder, `.part-${platform.ids.short("a")}`);
    try {
      await fs.writeFile(part, bytes, { mode: FILE_MODE, flag: "wx" });
      await stamp(part);
      await fs.rename(part, pathOf(hash));
    } catch (error) {
      await fs.rm(part, { force: true });
      throw error;
    }
  };

  const read = async (hash: string): Promise<Uint8Array | undefined> => {
    if (!HASH.test(hash)) return undefined;
    return fs.readFile(pathOf(hash)).then((bytes) => bytes, noneIfMissing);
  };

  /** Notes that the blob was put again. False: it was taken away meanwhile. */
  const touch = async (hash: string): Promise<boolean> => {
    const touched = stamp(pathOf(hash)).then(() => fs.stat(pathOf(hash)));
    return (await touched.then(() => true, noneIfMissing)) ?? false;
  };

  const isOlder = async (path: string, before: number): Promise<boolean> =>
    (await fs.stat(path)).mtimeMs < before;

  /**
   * Taken aside first: one that was put between the look and the deletion is put back. Whoever looks meanwhile, or after
   * a process that ended in the middle of this, puts it back as well.
   */
  const evict = async (hash: string, before: number): Promise<boolean> => {
    if (!(await isOlder(pathOf(hash), before))) return false;
    const aside = join(folderOf(hash), `${asideOf(hash)}${platform.ids.short("a")}`);
    await fs.rename(pathOf(hash), aside);
    const isGone = await isOlder(aside, before);
    if (!isGone) await fs.link(aside, pathOf(hash)).catch(noneIfThere);
    await fs.unlink(aside);
    return isGone;
  };

  /** True: a blob that had been taken aside is in its place again, or came there meanwhile. */
  const putBack = async (hash: string): Promise<boolean> => {
    const names = (await fs.readdir(folderOf(hash)).catch(noneIfMissing)) ?? [];
    const aside = names.find((name) => name.startsWith(asideOf(hash)));
    if (aside === undefined) return names.includes(hash);
    const linked = fs.link(join(folderOf(hash), aside), pathOf(hash)).catch(noneIfThere);
    return linked.then(() => true, noneIfMissing).then((isThere) => isThere ?? false);
  };

  return {
    put: async (bytes) => {
      const hash = platform.sha256(bytes);
      const there = await read(hash).catch(() => undefined);
      if (there !== undefined && platform.sha256(there) === hash && (await touch(hash))) return hash;
      await write(hash, bytes).catch((error: unknown) => {
        throw new CastellanError("store_failed", `An artifact could not be written to ${directory}.`, {
          subject: directory,
          fix: "Make the directory writable, or name another one.",
          cause: error,
        });
      });
      return hash;
    },
    get: async (hash) => {
      const found = await read(hash);
      const isBack = found === undefined && HASH.test(hash) && (await putBack(hash));
      const bytes = isBack ? await read(hash) : found;
      if (bytes === undefined || platform.sha256(bytes) === hash) return bytes;
      throw new CastellanError("artifact_invalid", `The artifact file ${pathOf(hash)} was changed or cut.`, {
        subject: hash,
        fix: "Delete it; what made it can store it again.",
      });
    },
    has: async (hash) => {
      if (!HASH.test(hash)) return false;
      return (await fs.stat(pathOf(hash)).then(() => true, noneIfMissing)) ?? putBack(hash);
    },
    delete: async (hash) => {
      if (!HASH.test(hash)) return false;
      const gone = await fs.unlink(pathOf(hash)).then(() => true, noneIfMissing);
      return gone ?? false;
    },
    evict: async (hash, before) => {
      if (!HASH.test(hash)) return false;
      return (await evict(hash, before).catch(noneIfMissing)) ?? false;
    },
    touch: async (hash) => {
      if (!HASH.test(hash)) return false;
      return (await touch(hash)) || ((await putBack(hash)) && touch(hash));
    },
    list: async () => {
      const folders = (await fs.readdir(directory).catch(noneIfMissing)) ?? [];
      const names = await Promise.all(
        folders
          .filter((name) => /^[0-9a-f]{2}$/.test(name))
          .map(async (name) => (await fs.readdir(join(directory, name)).catch(noneIfMissing)) ?? []),
      );
      return names
        .flat()
        .filter((name) => HASH.test(name))
        .sort();
    },
  };
}

/** What a blob is called while it is being deleted begins with this. */
function asideOf(hash: string): string {
  return `.gone-${hash}-`;
}

function noneIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
  return undefined;
}

function noneIfThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "EEXIST") throw error;
  return undefined;
}
