import { createWriteStream } from "node:fs";
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
      await pipeline(Readable.from(shown), process.stdout, { end: false });
      return EXIT.done;
    }
    try {
      await pipeline(Readable.from(lines), createWriteStream(output, { flags: "wx", mode: 0o600 }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") {
        throw new Fault(EXIT.usage, `${printable(output)} is there already. Name another file.`, error);
      }
      throw error;
    }
    process.stdout.write(
      json === true ? `${printableJson({ sessionId, file: output })}\n` : `${printable(output)}\n`,
    );
    return EXIT.done;
  });
}

async function* escaped(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${printableJson(JSON.parse(line))}\n`;
}
