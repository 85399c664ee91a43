import { createHash } from "node:crypto";
import { nodePlatform } from "../platform/index.ts";
import type { ArtifactStore } from "../protocol/index.ts";

/**
 * Blobs in memory; they go with the store. Bytes are copied in and out, so nobody can change a stored one.
 *
 * @param now epoch milliseconds: when a blob was put.
 */
export function memoryArtifacts(now: () => number = nodePlatform().clock.now): ArtifactStore {
  const blobs = new Map<string, Uint8Array>();
  const putAt = new Map<string, number>();
  return {
    put: async (bytes) => {
      const hash = createHash("sha256").update(bytes).digest("hex");
      putAt.set(hash, now());
      if (!blobs.has(hash)) blobs.set(hash, Uint8Array.from(bytes));
      return hash;
    },
    get: async (hash) => {
      const found = blobs.get(hash);
      return found === undefined ? undefined : Uint8Array.from(found);
    },
    has: async (hash) => blobs.has(hash),
    delete: async (hash) => {
      putAt.delete(hash);
      return blobs.delete(hash);
    },
    evict: async (hash, before) => {
      if ((putAt.get(hash) ?? 0) >= before) return false;
      putAt.delete(hash);
      return blobs.delete(hash);
    },
    touch: async (hash) => {
      if (!blobs.has(hash)) return false;
      putAt.set(hash, now());
      return true;
    },
    list: async () => [...blobs.keys()].sort(),
  };
}
