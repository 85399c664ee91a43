/**
 * Codes of `Opacity` that no rule is about and that every mode asks about. `network` is `/dev/tcp` and `/dev/udp`. Where a cap
 * of ours was reached, commands and files that stand in the line were not looked at, and a safety check may be about one.
 */
const KEPT: ReadonlySet<string> = new Set([
  "network",
  "too-long",
  "too-many",
  "too-many-paths",
  "nesting",
  "internal",
]);

/** Whether a line that cannot be seen through for this reason is asked about in every mode. */
export function isKeptOpacity(code: string): boolean {
  return KEPT.has(code);
}
