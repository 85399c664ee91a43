import { join } from "node:path";
import type { Platform } from "../../../platform/index.ts";
import type { Snapshot } from "../../../protocol/index.ts";
import { isMissing, storeFailed } from "../store-errors.ts";

const NAME = "snapshot.json";

/** The snapshot in a session's folder. One that is damaged is none: the log is the truth. */
export async function readSnapshotFile(
  { fs }: Pick<Platform, "fs">,
  folder: string,
): Promise<Snapshot | undefined> {
  const path = join(folder, NAME);
  let value: unknown;
  try {
    value = JSON.parse(await fs.readFile(path, "utf8"));
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw storeFailed(path, "Reading", error);
  }
  const { v, seq, hash, state } = (value ?? {}) as Record<string, unknown>;
  if (typeof v !== "number" || typeof seq !== "number") return undefined;
  if (typeof hash !== "string" || typeof state !== "string") return undefined;
  return { v, seq, hash, state };
}

/** Written aside and renamed. A folder that is gone gets none. */
export async function writeSnapshotFile(
  { fs, ids }: Pick<Platform, "fs" | "ids">,
  folder: string,
  { v, seq, hash, state }: Snapshot,
): Promise<void> {
  const path = join(folder, NAME);
  const draft = `${path}.${ids.short("new")}.tmp`;
  try {
    await fs.writeFile(draft, JSON.stringify({ v, seq, hash, state }), { flag: "wx", mode: 0o600 });
    await fs.rename(draft, path);
  } catch (error) {
    await fs.rm(draft, { force: true });
    if (!isMissing(error)) throw storeFailed(path, "Writing", error);
  }
}
