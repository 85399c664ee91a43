const HASH = /(?<![0-9A-Za-z])[0-9a-f]{64}(?![0-9A-Za-z])/g;

/**
 * Adds every SHA-256 that stands anywhere in an event, whatever its type: what is meant by something else keeps a blob
 * too many and loses none.
 */
export function addHashes(event: unknown, found: Set<string>): void {
  for (const [hash] of JSON.stringify(event).matchAll(HASH)) found.add(hash);
}

/** Adds the hash of every artifact that an event refers to: an object with a hash and a media type. */
export function addReferences(value: unknown, found: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  const { hash, mediaType } = value as { readonly hash?: unknown; readonly mediaType?: unknown };
  if (typeof hash === "string" && typeof mediaType === "string" && /^[0-9a-f]{64}$/.test(hash))
    found.add(hash);
  for (const inner of Object.values(value)) addReferences(inner, found);
}
