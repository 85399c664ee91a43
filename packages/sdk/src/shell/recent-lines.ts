import { createRecent, type ShellAnalysis } from "../protocol/index.ts";

// An analysis depends on nothing but its line, so that none that is kept is ever stale.

/** The last few lines: one call asks for its line several times. */
const MOST_NEWEST = 8;
const newest: (ShellAnalysis | undefined)[] = new Array(MOST_NEWEST).fill(undefined);
let hand = 0;

/**
 * Of 512 lines: those that came again later, each with its analysis. To keep every line that comes once makes garbage
 * collection cost more than the analysis.
 */
const recent = createRecent<ShellAnalysis | "once">(64);

/** Longer lines are rare and would fill the memory with text. */
const MAX_LENGTH = 4096;

/** The analysis of a line: one that is kept, or what `analyse` makes of it. */
export function recentAnalysis(line: string, analyse: (line: string) => ShellAnalysis): ShellAnalysis {
  if (line.length > MAX_LENGTH) return analyse(line);
  for (const known of newest) if (known?.line === line) return known;
  const known = recent.getOrSet(line, "once");
  if (known !== undefined && known !== "once") return known;
  const analysis = analyse(line);
  if (known !== undefined) recent.set(line, analysis);
  newest[hand] = analysis;
  hand = (hand + 1) % MOST_NEWEST;
  return analysis;
}
