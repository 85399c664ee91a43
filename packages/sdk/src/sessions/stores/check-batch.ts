import type { AppendBatch, AppendResult } from "../../protocol/index.ts";
import { CastellanError } from "../../protocol/index.ts";

/** What a store knows of the end of a log: its last `seq`, and the id of the batch that ends there. */
export interface LogTail {
  readonly seq: number;
  readonly batchId: string | undefined;
}

/**
 * The answer to a batch that is not to be written: it is the last one again, its lease is lost, or it does not fit
 * behind the log. Undefined: write it.
 *
 * @param holds whether the lease of that epoch may write the session; not asked for a batch without one.
 *
 * @throws `internal` for events that do not run on from `expectedSeq`, one by one.
 */
export function checkBatch(
  batch: AppendBatch,
  tail: LogTail,
  holds: (epoch: number) => boolean,
): AppendResult | undefined {
  if (batch.batchId === tail.batchId) return { ok: true, seq: tail.seq };
  if (batch.epoch !== undefined && !holds(batch.epoch)) return { ok: false, code: "lease_lost" };
  checkOrder(batch);
  if (batch.expectedSeq !== tail.seq) return { ok: false, code: "conflict", actualSeq: tail.seq };
  return batch.events.length === 0 ? { ok: true, seq: tail.seq } : undefined;
}

/** @throws `internal` for events that do not run on from `expectedSeq`, one by one. */
export function checkOrder({ sessionId, expectedSeq, events }: AppendBatch): void {
  let seq = expectedSeq;
  for (const event of events) {
    seq += 1;
    if (event.seq === seq) continue;
    throw new CastellanError(
      "internal",
      `A batch for session ${sessionId} has event ${event.seq} where event ${seq} belongs.`,
      { subject: sessionId },
    );
  }
}
