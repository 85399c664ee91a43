import type { ArtifactStore, EventStore, SessionEvent } from "../protocol/index.ts";
import { addHashes } from "./sessions/reachable.ts";

/**
 * Before a copy of a session is written: nobody who prunes meanwhile takes what it names. A pruner deletes logs first,
 * then looks which blobs the others reach, and spares what was touched in the last hour. So all is well where the
 * original is still there behind the last touch.
 *
 * @returns false where the original was deleted meanwhile, and some of what it named may be gone.
 */
export async function holdArtifacts(
  { store, artifacts }: { readonly store: EventStore; readonly artifacts: ArtifactStore },
  original: string,
  events: readonly SessionEvent[],
): Promise<boolean> {
  // Nothing is ever taken from it.
  if (artifacts.evict === undefined) return true;
  const hashes = new Set<string>();
  for (const event of events) addHashes(event, hashes);
  if (hashes.size === 0) return true;
  for (const hash of hashes) {
    if (artifacts.touch !== undefined) await artifacts.touch(hash);
    else await putAgain(artifacts, hash);
  }
  return (await store.read(original)).length > 0;
}

async function putAgain(artifacts: ArtifactStore, hash: string): Promise<void> {
  const bytes = await artifacts.get(hash);
  if (bytes !== undefined) await artifacts.put(bytes);
}
