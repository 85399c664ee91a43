import { createReadStream } from "node:fs";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { Fault } from "../fault.ts";
import { printable, printableJson } from "../terminal/safe-text.ts";
import { withHost } from "./with-host.ts";

export interface ImportFlags {
  readonly cwd?: string;
  readonly keepGrants?: boolean;
  readonly json?: boolean;
}

/** `castellan sessions import`: prints the id that the session has here. */
export function importCommand(file: string, { cwd, keepGrants, json }: ImportFlags): Promise<ExitCode> {
  return withHost(async (host) => {
    const source = file === "-" ? process.stdin : createReadStream(file);
    try {
      const imported = await host.sessions.import(source, {
        ...(cwd === undefined ? {} : { cwd }),
        ...(keepGrants === undefined ? {} : { keepGrants }),
      });
      const { sessionId, isNewId } = imported;
      const note = isNewId ? "castellan: the id was taken, so the session has a new one\n" : "";
      process.stderr.write(note);
      process.stdout.write(json === true ? `${printableJson(imported)}\n` : `${sessionId}\n`);
      return EXIT.done;
    } catch (error) {
      if (!["ENOENT", "EISDIR", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
      throw new Fault(
        EXIT.configuration,
        `${printable(file)} cannot be read. Name an exported session.`,
        error,
      );
    }
  });
}
