import { isCastellanError } from "@castellan/sdk";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { Fault } from "../fault.ts";
import { printable, printableJson } from "../terminal/safe-text.ts";
import { fullId, withHost } from "./with-host.ts";

export interface ForkFlags {
  readonly at?: string;
  readonly title?: string;
  readonly keepGrants?: boolean;
  readonly json?: boolean;
}

/** `castellan sessions fork`: prints the id of the copy. */
export function forkCommand(given: string, { at, title, keepGrants, json }: ForkFlags): Promise<ExitCode> {
  return withHost(async (host) => {
    const sessionId = await fullId(host, given);
    const options = {
      ...(at === undefined ? {} : { upTo: at }),
      ...(title === undefined ? {} : { title }),
      ...(keepGrants === undefined ? {} : { keepGrants }),
    };
    const forked = await host.sessions.fork(sessionId, options).catch((error: unknown) => {
      if (!isCastellanError(error, "invalid_option") || error.subject !== "resumeSessionAt") throw error;
      const where = `castellan sessions show ${sessionId} --json`;
      throw new Fault(
        EXIT.usage,
        `The session holds no message ${printable(at ?? "")}. Give a uuid of ${where}.`,
        error,
      );
    });
    process.stdout.write(json === true ? `${printableJson(forked)}\n` : `${forked.sessionId}\n`);
    return EXIT.done;
  });
}
