import { EXIT, type ExitCode } from "../exit-codes.ts";
import { printableJson } from "../terminal/safe-text.ts";
import { sessionTable } from "./session-table.ts";
import { withHost } from "./with-host.ts";

export interface ListFlags {
  readonly cwd?: string;
  readonly all?: boolean;
  readonly tag?: readonly string[];
  readonly limit?: number;
  readonly json?: boolean;
}

/** `castellan sessions list`. */
export function listCommand({ cwd, all, tag, limit = 20, json }: ListFlags): Promise<ExitCode> {
  return withHost(async (host) => {
    const sessions = await host.sessions.list({
      limit,
      ...(all === true && cwd === undefined ? {} : { project: cwd ?? "." }),
      ...(tag === undefined ? {} : { tags: tag }),
    });
    const columns = Math.max(72, process.stdout.columns ?? 80);
    const text = json === true ? `${printableJson(sessions)}\n` : sessionTable(sessions, columns, Date.now());
    process.stdout.write(text);
    return EXIT.done;
  });
}
