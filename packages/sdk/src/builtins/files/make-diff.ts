import type { ArtifactRef, BuiltinContext, JsonValue } from "../../protocol/index.ts";

/** What changed in a file, as data and as a stored patch. */
export interface FileDiff {
  /**
   * Hunks as the package `diff` names them: `oldStart oldLines newStart newLines lines`. Left out where
   * they are long, for the log keeps them; the artifact has them all the same.
   */
  readonly shown: { readonly hunks?: JsonValue };
  readonly added: number;
  readonly removed: number;
  readonly artifact: ArtifactRef;
}

/** Beyond this many changed lines a diff costs more than it tells. */
const MOST_EDITS = 4_000;
const MOST_MS = 1_000;
const MOST_SHOWN = 100_000;

/** The diff of two texts; undefined when it would take too long or could not be stored. */
export async function makeDiff(
  context: BuiltinContext,
  path: string,
  before: string,
  after: string,
): Promise<FileDiff | undefined> {
  try {
    return await diffOf(context, path, before, after);
  } catch (error) {
    // The file is written already: that must not read like a failure.
    context.log(
      "warn",
      `The diff of ${path} was not kept: ${error instanceof Error ? error.message : error}`,
    );
    return undefined;
  }
}

async function diffOf(
  context: BuiltinContext,
  path: string,
  before: string,
  after: string,
): Promise<FileDiff | undefined> {
  const { structuredPatch, formatPatch } = await import("diff");
  const patch = structuredPatch(path, path, before, after, undefined, undefined, {
    context: 3,
    maxEditLength: MOST_EDITS,
    timeout: MOST_MS,
  });
  if (patch === undefined) return undefined;
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const artifact = await context.artifacts.put(formatPatch(patch), "text/x-diff");
  const hunks = patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines: text }) => ({
    oldStart,
    oldLines,
    newStart,
    newLines,
    lines: text,
  }));
  const size = lines.reduce((sum, line) => sum + line.length, 0);
  return {
    shown: size <= MOST_SHOWN ? { hunks } : {},
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
    artifact,
  };
}
