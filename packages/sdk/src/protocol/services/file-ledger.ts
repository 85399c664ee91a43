/** What the model has seen of a file: proof for Edit and Write that they do not overwrite a stranger's change. */
export interface SeenFile {
  /** SHA-256 of the whole file's bytes when it was read or written, in hex. */
  readonly digest: string;
  /** Only a slice was shown. */
  readonly partial: boolean;
}

/** Which files this session has read, by resolved path. Durable: it survives a resume. */
export interface FileLedger {
  get(realPath: string): SeenFile | undefined;
  note(realPath: string, seen: SeenFile): void;
}
