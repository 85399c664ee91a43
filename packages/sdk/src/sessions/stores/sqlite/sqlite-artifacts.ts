import type { Platform } from "../../../platform/index.ts";
import { type ArtifactStore, CastellanError } from "../../../protocol/index.ts";
import type { SqlThread } from "./thread.ts";

/** Blobs as rows. @param file for messages. */
export function sqliteArtifacts(
  { sha256, clock }: Pick<Platform, "sha256" | "clock">,
  thread: SqlThread,
  file: string,
): ArtifactStore {
  return {
    async put(bytes) {
      // A view of its own: what the caller does with the array while it travels changes nothing.
      const copy = Uint8Array.from(bytes);
      const hash = sha256(copy);
      await thread.run({
        sql: `INSERT INTO artifacts (hash, at, bytes) VALUES (?, ?, ?)
          ON CONFLICT (hash) DO UPDATE SET at = excluded.at, bytes = excluded.bytes`,
        params: [[hash, clock.now(), copy]],
      });
      return hash;
    },
    async get(hash) {
      const [row] = await thread.read("SELECT hash, bytes FROM artifacts WHERE hash = ?", hash);
      if (row === undefined) return undefined;
      // A driver may give the buffer itself.
      const bytes = new Uint8Array(row.bytes as ArrayBuffer | Uint8Array);
      if (sha256(bytes) === hash) return bytes;
      throw new CastellanError("artifact_invalid", `The artifact ${hash} in ${file} was changed.`, {
        subject: hash,
        fix: "Delete it; what made it can store it again.",
      });
    },
    async has(hash) {
      return (await thread.read("SELECT hash FROM artifacts WHERE hash = ?", hash)).length > 0;
    },
    async delete(hash) {
      return (
        (await thread.run({ sql: "DELETE FROM artifacts WHERE hash = ?", params: [[hash]] })).changes > 0
      );
    },
    async evict(hash, before) {
      const sql = "DELETE FROM artifacts WHERE hash = ? AND at < ?";
      return (await thread.run({ sql, params: [[hash, before]] })).changes > 0;
    },
    async touch(hash) {
      const sql = "UPDATE artifacts SET at = ? WHERE hash = ?";
      return (await thread.run({ sql, params: [[clock.now(), hash]] })).changes > 0;
    },
    async list() {
      return (await thread.read("SELECT hash FROM artifacts ORDER BY hash")).map((row) => String(row.hash));
    },
  };
}
