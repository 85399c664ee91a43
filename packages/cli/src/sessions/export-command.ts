import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { Fault } from "../fault.ts";
import { printable, printableJson } from "../terminal/safe-text.ts";
import { fullId, withHost } from "./with-host.ts";

export interface ExportFlags {
  readonly output?: string;
  readonly artifacts?: boolean;
  readonly json?: boolean;
}

/** `castellan sessions export`. A file gets mode 0600: it holds all that was said. */
export function exportCommand(given: string, { output, artifacts, json }: ExportFlags): Promise<ExitCode> {
  return withHost(async (host) => {
    const sessionId = await fullId(host, given);
    const lines = host.sessions.export(sessionId, artifacts === undefined ? {} : { artifacts });
    if (output === undefined) {
      // A terminal must not get what acts on it; escaped, nothing is lost.
      const shown = process.stdout.isTTY === true ? escaped(lines) : lines;
      try {
        await pipeline(Readable.from(shown), process.stdout, { end: false });
      } catch (error) {
        const { code, syscall } = error as NodeJS.ErrnoException;
        if (syscall !== "write") throw error;
        // A reader that has enough (`| head`) is no failure; anything else about the output is told by then.
        return code === "EPIPE" ? EXIT.done : EXIT.failed;
      }
      return EXIT.done;
    }
    try {
      await pipeline(Readable.from(lines), createWriteStream(output, { flags: "wx", mode: 0o600 }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") {
        throw new Fault(EXIT.usage, `${printable(output)} is there already. Name another file.`, error);
      }
      if ((error as NodeJS.ErrnoException).syscall === "open") {
        throw new Fault(
          EXIT.configuration,
          `${printable(output)} cannot be written: ${errorText(error)}`,
          error,
        );
      }
      // A part of an export is of no use, and would be in the way of the next one.
      await rm(output, { force: true });
      throw error;
    }
    process.stdout.write(
      json === true ? `${printableJson({ sessionId, file: output })}\n` : `${printable(output)}\n`,
    );
    return EXIT.done;
  });
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function* escaped(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${printableJson(JSON.parse(line))}\n`;
}
