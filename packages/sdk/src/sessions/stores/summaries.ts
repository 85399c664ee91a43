import type { FileSystem } from "../../platform/index.ts";
import type { SessionSummary } from "../../protocol/index.ts";
import { isCastellanError } from "../../protocol/index.ts";
import { readHead, readTail } from "./log-tail.ts";
import type { Place } from "./places.ts";
import { isMissing, storeFailed } from "./store-errors.ts";

const AT_ONCE = 16;

/**
 * What a listing shows of each log: its first and its last event are read, nothing between.
 * Logs without a whole batch, and logs that cannot be read as logs, are left out.
 */
export async function summarise(fs: FileSystem, places: readonly Place[]): Promise<SessionSummary[]> {
  const found: SessionSummary[] = [];
  const rest = places.values();
  const lane = async (): Promise<void> => {
    for (const place of rest) {
      const summary = await summaryOf(fs, place);
      if (summary !== undefined) found.push(summary);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return found;
}

async function summaryOf(
  fs: FileSystem,
  { log, sessionId, project }: Place,
): Promise<SessionSummary | undefined> {
  try {
    const handle = await fs.open(log, "r");
    try {
      const { seq, ts } = await readTail(handle);
      const head = seq === 0 ? undefined : await readHead(handle, log);
      if (head === undefined) return undefined;
      return { sessionId, project, createdAt: head.event.ts, updatedAt: ts, events: seq };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isCastellanError(error, "log_corrupt") || isMissing(error)) return undefined;
    throw storeFailed(log, "Reading", error);
  }
}
