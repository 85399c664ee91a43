import type { SessionEvent } from "../../../protocol/index.ts";
import { encodeEvent } from "../encode-event.ts";
import { corruptLine } from "../store-errors.ts";

const NEWLINE = 10;

/**
 * A batch as text: one event a line. The last line also carries the batch's id as `batch`, so a batch
 * whose last line is missing was never acknowledged and does not count.
 *
 * @throws `internal` for an event that JSON cannot hold.
 */
export function encodeBatch(events: readonly SessionEvent[], batchId: string): string {
  const lines = events.map(encodeEvent);
  const last = lines.pop();
  if (last === undefined) return "";
  lines.push(`${last.slice(0, -1)},"batch":${JSON.stringify(batchId)}}`);
  return `${lines.join("\n")}\n`;
}

/** One line of a log. */
export interface LogLine {
  readonly event: SessionEvent;
  /** The batch that ends here. */
  readonly batchId: string | undefined;
}

/**
 * Every event of the whole batches in a log file. A torn batch at the end is left out.
 *
 * @param after lines up to this number are passed over unread.
 * @param first the number of the line that `bytes` begin with; at most `after + 1`.
 * @throws `log_corrupt`, with file and line, for a complete line that is no event or is out of order.
 */
export function decodeLog(bytes: Buffer, file: string, after = 0, first = 1): SessionEvent[] {
  const events: SessionEvent[] = [];
  let whole = 0;
  let start = 0;
  for (let line = first; line <= after; line += 1) {
    const end = bytes.indexOf(NEWLINE, start);
    if (end === -1) return events;
    start = end + 1;
  }
  for (let end = bytes.indexOf(NEWLINE, start); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    const line = after + events.length + 1;
    const { event, batchId } = decodeLine(bytes.subarray(start, end), file, line);
    if (event.seq !== line) throw corruptLine(file, line, `the event is number ${event.seq}, not ${line}.`);
    events.push(event);
    if (batchId !== undefined) whole = events.length;
    start = end + 1;
  }
  events.length = whole;
  return events;
}

/** @throws `log_corrupt` when the line is not an event. */
export function decodeLine(bytes: Uint8Array, file: string, line: number): LogLine {
  let value: unknown;
  try {
    value = JSON.parse(UTF8.decode(bytes));
  } catch {
    throw corruptLine(file, line, "it is not JSON.");
  }
  if (!isEvent(value)) throw corruptLine(file, line, "it is not an event of a session.");
  const { batch } = value as { batch?: unknown };
  if (batch === undefined) return { event: value, batchId: undefined };
  if (typeof batch !== "string") throw corruptLine(file, line, `"batch" is not a text.`);
  delete (value as { batch?: string }).batch;
  return { event: value, batchId: batch };
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function isEvent(value: unknown): value is SessionEvent {
  if (typeof value !== "object" || value === null) return false;
  const { seq, type, v, ts, id } = value as Record<string, unknown>;
  return (
    Number.isSafeInteger(seq) &&
    typeof type === "string" &&
    typeof v === "number" &&
    typeof ts === "number" &&
    typeof id === "string"
  );
}
