import { createHash } from "node:crypto";
import type { ArtifactStore } from "../protocol/index.ts";

/** Blobs in memory; they go with the store. Bytes are copied in and out, so nobody can change a stored one. */
export function memoryArtifacts(): ArtifactStore {
  const blobs = new Map<string, Uint8Array>();
  return {
    put: async (bytes) => {
      const hash = createHash("sha256").update(bytes).digest("hex");
      if (!blobs.has(hash)) blobs.set(hash, Uint8Array.from(bytes));
      return hash;
    },
    get: async (hash) => {
      const found = blobs.get(hash);
      return found === undefined ? undefined : Uint8Array.from(found);
    },
    has: async (hash) => blobs.has(hash),
    delete: async (hash) => blobs.delete(hash),
    list: async () => [...blobs.keys()].sort(),
  };
}
