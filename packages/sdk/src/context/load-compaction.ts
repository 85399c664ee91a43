/** What summing up a history needs. Loaded when it is first needed: most sessions never do. */
export type Compaction = typeof import("./compaction/compaction.ts");

export function loadCompaction(): Promise<Compaction> {
  return import("./compaction/compaction.ts");
}
