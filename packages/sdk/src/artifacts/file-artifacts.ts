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
  const pathOf = (hash: string): string => join(directory, hash.slice(0, 2), hash);

  const write = async (hash: string, bytes: Uint8Array): Promise<void> => {
    const folder = join(directory, hash.slice(0, 2));
    await fs.mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    const part = join(folder, `.part-${platform.ids.short("a")}`);
    try {
      await fs.writeFile(part, bytes, { mode: FILE_MODE, flag: "wx" });
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
    const now = new Date(platform.clock.now());
    const touched = fs.utimes(pathOf(hash), now, now).then(() => fs.stat(pathOf(hash)));
    return (await touched.then(() => true, noneIfMissing)) ?? false;
  };

  const isOlder = async (path: string, before: number): Promise<boolean> =>
    (await fs.stat(path)).mtimeMs < before;

  /** Taken aside first: one that was put between the look and the deletion is put back. */
  const evict = async (hash: string, before: number): Promise<boolean> => {
    if (!(await isOlder(pathOf(hash), before))) return false;
    const aside = join(directory, hash.slice(0, 2), `.gone-${platform.ids.short("a")}`);
    await fs.rename(pathOf(hash), aside);
    const isGone = await isOlder(aside, before);
    if (!isGone) await fs.link(aside, pathOf(hash)).catch(noneIfThere);
    await fs.unlink(aside);
    return isGone;
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
      const bytes = await read(hash);
      if (bytes === undefined || platform.sha256(bytes) === hash) return bytes;
      throw new CastellanError("artifact_invalid", `The artifact file ${pathOf(hash)} was changed or cut.`, {
        subject: hash,
        fix: "Delete it; what made it can store it again.",
      });
    },
    has: async (hash) => {
      if (!HASH.test(hash)) return false;
      return (await fs.stat(pathOf(hash)).then(() => true, noneIfMissing)) ?? false;
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

function noneIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
  return undefined;
}

function noneIfThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "EEXIST") throw error;
  return undefined;
}
