export interface SpawnRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child; nothing is inherited beside it. */
  readonly env: Readonly<Record<string, string>>;
  /** It runs beside the conversation, for as long as it likes: limits on processes at once leave it out. */
  readonly isBackground?: boolean;
  /**
   * Its standard input is a pipe in which nothing stands until `begin()`, and which ends without a line when the process
   * that started it is gone before that. Default: no input.
   */
  readonly isHeld?: boolean;
  /** Interleaved chunks in the order in which they came. */
  onOutput(stream: "stdout" | "stderr", chunk: Uint8Array): void;
}

export interface SpawnedProcess {
  readonly pid: number | undefined;
  /** Resolves when the process has ended and its streams are closed, or could not be started. */
  readonly ended: Promise<
    | { readonly kind: "exit"; readonly code: number | null; readonly signal: string | null }
    | { readonly kind: "failed"; readonly message: string }
  >;
  /** Sends a signal to the whole process group. */
  kill(signal: "SIGTERM" | "SIGKILL"): void;
  /** For one that is held: gives it an empty line as its input, and then the end of it. */
  begin(): void;
}

/** Starts processes in groups of their own; a sandbox wraps this service, tools never see which. */
export interface Spawner {
  /** The environment that children get: the session's, pagers and editors neutralised. */
  readonly env: Readonly<Record<string, string>>;
  spawn(request: SpawnRequest): SpawnedProcess;
}
