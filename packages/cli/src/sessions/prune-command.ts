import { EXIT, type ExitCode } from "../exit-codes.ts";
import { printable, printableJson } from "../terminal/safe-text.ts";
import { withHost } from "./with-host.ts";

export interface PruneFlags {
  readonly olderThan: number;
  readonly keep?: number;
  readonly cwd?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `castellan sessions prune`. */
export function pruneCommand({ olderThan, keep, cwd, dryRun = false, json }: PruneFlags): Promise<ExitCode> {
  return withHost(async (host) => {
    const report = await host.sessions.prune({
      olderThanDays: olderThan,
      dryRun,
      ...(keep === undefined ? {} : { keep }),
      ...(cwd === undefined ? {} : { project: cwd }),
    });
    const { deleted, left, artifacts } = report;
    const verb = dryRun ? "would delete" : "deleted";
    const lines = [
      ...deleted.map((id) => `${verb} ${id}`),
      ...left.map(({ sessionId, reason }) => `left ${sessionId}: ${reason}`),
      `${verb} ${deleted.length} sessions and ${artifacts.deleted} artifacts`,
      ...(artifacts.skipped === undefined ? [] : [`artifacts were left alone: ${artifacts.skipped}`]),
    ];
    const text = lines.map((line) => printable(line).replaceAll("\n", " ")).join("\n");
    process.stdout.write(json === true ? `${printableJson(report)}\n` : `${text}\n`);
    return EXIT.done;
  });
}
