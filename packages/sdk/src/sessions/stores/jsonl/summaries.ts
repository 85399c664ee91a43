import type { FileSystem } from "../../../platform/index.ts";
import type { SessionSummary } from "../../../protocol/index.ts";
import { errorText, isCastellanError } from "../../../protocol/index.ts";
import { isMissing } from "../store-errors.ts";
import { readHead, readTail } from "./log-tail.ts";
import type { Place } from "./places.ts";

const AT_ONCE = 16;

/**
 * What a listing shows of each log: its first and its last event are read, nothing between.
 * Logs without a whole batch are left out. So are logs that are no logs or cannot be read, and `skipped` is told: one
 * bad disk block must not hide all other sessions.
 */
export async function summarise(
  fs: FileSystem,
  places: readonly Place[],
  skipped: (problem: string, sessionId?: string) => void = () => {},
): Promise<SessionSummary[]> {
  const found: SessionSummary[] = [];
  const rest = places.values();
  const lane = async (): Promise<void> => {
    for (const place of rest) {
      const summary = await summaryOf(fs, place, skipped);
      if (summary !== undefined) found.push(summary);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return found;
}

async function summaryOf(
  fs: FileSystem,
  { log, sessionId, project }: Place,
  skipped: (problem: string, sessionId?: string) => void,
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
    if (isMissing(error)) return undefined;
    const why = isCastellanError(error, "log_corrupt") ? "a line of it is no event." : errorText(error);
    skipped(`Session ${sessionId} is left out: its log ${log} cannot be read: ${why}`, sessionId);
    return undefined;
  }
}
