const HASH = /(?<![0-9A-Za-z])[0-9a-f]{64}(?![0-9A-Za-z])/g;

/**
 * Adds every SHA-256 that stands anywhere in an event, whatever its type: what is meant by something else keeps a blob
 * too many and loses none.
 */
export function addHashes(event: unknown, found: Set<string>): void {
  for (const [hash] of JSON.stringify(event).matchAll(HASH)) found.add(hash);
}
