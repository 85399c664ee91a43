import { join } from "node:path";
import type { Platform } from "../../../platform/index.ts";
import { CastellanError } from "../../../protocol/index.ts";
import { codeOf, isMissing, storeFailed } from "../store-errors.ts";

/** A folder of small JSON files, each a record. Errors are `store_failed` and name the file. */
export interface RecordFiles {
  /** Names of the files, in no order. A folder that is not there has none. */
  names(): Promise<string[]>;
  /** Another text once a file was made, changed or removed; two changes in one tick of the disk's clock may share one. */
  stamp(): Promise<string>;
  /** Tells of changes as far as the system does; undefined where it does not. */
  watch(listener: () => void): (() => void) | undefined;
  /** Undefined: no such file. @throws `store_failed` for one that holds no JSON object */
  read(name: string): Promise<Record<string, unknown> | undefined>;
  /** The file holds the new record or the one before, whole, whatever happens, a power cut included. */
  write(name: string, record: object): Promise<void>;
  /** Makes the file with link(2). False: it is there already. */
  make(name: string, record: object): Promise<boolean>;
  /** False: no such file. */
  remove(name: string): Promise<boolean>;
}

/** @param folder absolute; made with the first record, mode 0700. Files have 0600. */
export function recordFiles(platform: Pick<Platform, "fs" | "ids">, folder: string): RecordFiles {
  const { fs } = platform;

  async function draft(name: string, record: object): Promise<string> {
    const path = join(folder, `${name}.${platform.ids.short("new")}.tmp`);
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    const handle = await fs.open(path, "wx", 0o600);
    try {
      await handle.writeFile(JSON.stringify(record));
      await handle.datasync();
    } catch (error) {
      await handle.close();
      await drop(path);
      throw error;
    }
    await handle.close();
    return path;
  }

  const drop = (path: string): Promise<void> => fs.rm(path, { force: true });

  return {
    async names() {
      try {
        return await fs.readdir(folder);
      } catch (error) {
        if (isMissing(error)) return [];
        throw storeFailed(folder, "Reading the folder", error);
      }
    },
    async stamp() {
      try {
        return String((await fs.stat(folder, { bigint: true })).mtimeNs);
      } catch (error) {
        if (isMissing(error)) return "";
        throw storeFailed(folder, "Looking at the folder", error);
      }
    },
    watch(listener) {
      try {
        return fs.watchFolder?.(folder, listener);
      } catch {
        // No such folder yet, or the system watches too many: then it is looked at.
        return undefined;
      }
    },
    async read(name) {
      const path = join(folder, name);
      let value: unknown;
      try {
        value = JSON.parse(await fs.readFile(path, "utf8"));
      } catch (error) {
        if (isMissing(error)) return undefined;
        if (error instanceof SyntaxError) throw damaged(path, error);
        throw storeFailed(path, "Reading", error);
      }
      if (typeof value !== "object" || value === null || Array.isArray(value)) throw damaged(path);
      return value as Record<string, unknown>;
    },
    async write(name, record) {
      const path = join(folder, name);
      try {
        const written = await draft(name, record);
        await fs.rename(written, path).catch(async (error: unknown) => {
          await drop(written);
          throw error;
        });
      } catch (error) {
        throw storeFailed(path, "Writing", error);
      }
    },
    async make(name, record) {
      const path = join(folder, name);
      try {
        const written = await draft(name, record);
        try {
          fs.linkSync(written, path);
        } finally {
          await drop(written);
        }
        return true;
      } catch (error) {
        if (codeOf(error) === "EEXIST") return false;
        throw storeFailed(path, "Writing", error);
      }
    },
    async remove(name) {
      const path = join(folder, name);
      try {
        await fs.unlink(path);
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw storeFailed(path, "Removing", error);
      }
    },
  };
}

function damaged(path: string, cause?: unknown): CastellanError {
  return new CastellanError("store_failed", `The file ${path} is damaged: it holds no JSON object.`, {
    cause,
    subject: path,
    fix: "Restore it from a copy, or delete it.",
  });
}
