/** The shell's current directory, kept from call to call. It never moves the anchors of rules. */
export interface ShellState {
  cwd(): string;
  setCwd(absolutePath: string): void;
  /** Whether a directory is one of the working directories or lies in one, links followed. */
  isInside(absolutePath: string): Promise<boolean>;
  /** The session's start directory. */
  readonly startDirectory: string;
}
