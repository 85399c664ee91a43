/** Content-addressed blobs. `put` of the same bytes twice stores them once. */
export interface ArtifactStore {
  /** Returns the SHA-256 of the bytes in hex. */
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes, or undefined when no such blob is stored. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /** Whether such a blob is stored, without reading it. A store without it is asked with `get`. */
  has?(hash: string): Promise<boolean>;
  delete(hash: string): Promise<boolean>;
  list(): Promise<readonly string[]>;
}
