import type { AppendBatch } from "../../protocol/index.ts";

/** The indexes of each session's batches. */
export function groupBySession(batches: readonly AppendBatch[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [at, { sessionId }] of batches.entries()) {
    const group = groups.get(sessionId);
    if (group === undefined) groups.set(sessionId, [at]);
    else group.push(at);
  }
  return groups;
}
