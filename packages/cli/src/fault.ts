import type { ExitCode } from "./exit-codes.ts";

/** What keeps a command from its work, with the exit code that says whose it is. The message names the fix. */
export class Fault extends Error {
  override readonly name: string = "Fault";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}
