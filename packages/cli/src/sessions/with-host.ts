import { createHost, type Host } from "@castellan/sdk";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { Fault } from "../fault.ts";
import { printable } from "../terminal/safe-text.ts";

/** Runs a command over the sessions of this user, and lets go of them. */
export async function withHost(command: (host: Host) => Promise<ExitCode>): Promise<ExitCode> {
  const host = createHost();
  try {
    return await command(host);
  } finally {
    await host.close();
  }
}

/** The id that `given` is, or begins. A log that cannot be read has an id as well. */
export async function fullId(host: Host, given: string): Promise<string> {
  if (given.trim() === "") {
    throw new Fault(EXIT.usage, "The id is empty. Give one, or a beginning: castellan sessions list.");
  }
  const ids = new Set<string>();
  const skipped = (_: string, sessionId?: string): void => {
    if (sessionId !== undefined) ids.add(sessionId);
  };
  for (const { sessionId } of await host.store.list({ skipped })) ids.add(sessionId);
  if (ids.has(given)) return given;
  const found = [...ids].filter((id) => id.startsWith(given));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined) {
    throw new Fault(
      EXIT.configuration,
      `There is no session ${printable(given)}. See castellan sessions list --all.`,
    );
  }
  const shown = found.slice(0, 5).join(", ");
  throw new Fault(
    EXIT.usage,
    `${found.length} sessions begin with ${printable(given)}: ${shown}. Give more of the id.`,
  );
}
