import { EXIT, type ExitCode } from "../exit-codes.ts";
import { printableJson } from "../terminal/safe-text.ts";
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
    const forked = await host.sessions.fork(await fullId(host, given), {
      ...(at === undefined ? {} : { upTo: at }),
      ...(title === undefined ? {} : { title }),
      ...(keepGrants === undefined ? {} : { keepGrants }),
    });
    process.stdout.write(json === true ? `${printableJson(forked)}\n` : `${forked.sessionId}\n`);
    return EXIT.done;
  });
}
