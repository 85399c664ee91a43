/** Content-addressed blobs. `put` of the same bytes twice stores them once. */
export interface ArtifactStore {
  /** Returns the SHA-256 of the bytes in hex. */
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes, or undefined when no such blob is stored. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /** Whether such a blob is stored, without reading it. A store without it is asked with `get`. */
  has?(hash: string): Promise<boolean>;
  delete(hash: string): Promise<boolean>;
  /**
   * Deletes a blob that nobody has put since `before` (epoch milliseconds): whoever puts it at the same moment finds it
   * stored, or stores it anew. False: it was put since, or is not there. A store without it is never tidied up.
   */
  evict?(hash: string, before: number): Promise<boolean>;
  /**
   * Counts as a put of the bytes of this blob, without them: whoever copies a log holds on to what it names. False: it is
   * not there. A store with `evict` that has no `touch` is asked with `get` and `put`.
   */
  touch?(hash: string): Promise<boolean>;
  list(): Promise<readonly string[]>;
}
