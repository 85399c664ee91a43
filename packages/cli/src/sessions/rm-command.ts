import { EXIT, type ExitCode } from "../exit-codes.ts";
import { printableJson } from "../terminal/safe-text.ts";
import { fullId, withHost } from "./with-host.ts";

/** `castellan sessions rm`. All ids are looked up before the first session goes. */
export function rmCommand(
  given: readonly string[],
  { json }: { readonly json?: boolean },
): Promise<ExitCode> {
  return withHost(async (host) => {
    const ids: string[] = [];
    for (const each of given) ids.push(await fullId(host, each));
    const deleted: string[] = [];
    for (const id of new Set(ids)) {
      if (await host.sessions.delete(id)) deleted.push(id);
      if (json !== true) process.stdout.write(`deleted ${id}\n`);
    }
    if (json === true) process.stdout.write(`${printableJson({ deleted })}\n`);
    return EXIT.done;
  });
}
