import type { ArtifactRef, BuiltinContext } from "../../protocol/index.ts";
import { cutAt } from "../../tools/index.ts";
import { type CollectedOutput, TAIL } from "./collect-output.ts";

/** Characters of output that a model gets. */
export const MOST_SHOWN = 30_000;
/** Half of it, less some room for the notes: the cut itself, the exit code, the directory. */
const HEAD: number = MOST_SHOWN - 2 * 500 - TAIL;

export interface CutOutput {
  readonly text: string;
  /** The whole output, when it was cut. */
  readonly artifact?: ArtifactRef;
}

/** The output as it fits: its beginning and its end, and the whole as an artifact. */
export async function cutOutput(output: CollectedOutput, context: BuiltinContext): Promise<CutOutput> {
  const { text, dropped, tail } = output;
  if (text.length <= HEAD + TAIL && dropped === 0) return { text };
  const head = cutAt(text, HEAD);
  const artifact = await context.artifacts.put(text, "text/plain").catch((error: unknown) => {
    context.log(
      "warn",
      `The whole output could not be kept: ${error instanceof Error ? error.message : error}`,
    );
    return undefined;
  });
  const whole = dropped === 0 ? "whole output is" : `first ${text.length} characters are`;
  const kept = artifact === undefined ? "" : ` The ${whole} kept as artifact ${artifact.id}.`;
  const cut = text.length + dropped - head.length - tail.length;
  const note = `[… ${cut} characters are cut out here.${kept} …]`;
  return { text: `${head}\n${note}\n${tail}`, ...(artifact === undefined ? {} : { artifact }) };
}
