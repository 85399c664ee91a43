import { jsonEqual } from "../schema/index.ts";
import { freshAsks } from "./fresh-asks.ts";
import type { Judged } from "./types.ts";

/** What an answer did not speak of, because it came between the question and the new decision. */
export interface Unasked {
  readonly edited: boolean;
  /** Of an edited call: the questions that the edit raises. */
  readonly fresh: readonly string[];
  /** Of one that was not edited: it is still a question, and a path in it has come to mean another place. */
  readonly moved: boolean;
}

/** Compares a call that was decided again behind an allow with the one that was asked about. */
export function unasked(judged: Judged, before: Judged, now: number): Unasked {
  if (!jsonEqual(judged.input, before.input)) {
    return { edited: true, fresh: freshAsks(before, judged, now), moved: false };
  }
  const isQuestion = judged.decision.behavior === "ask";
  return { edited: false, fresh: [], moved: isQuestion && !jsonEqual(placesOf(judged), placesOf(before)) };
}

/** Where the paths of a call really lie: what was allowed is these places, not the words for them. */
function placesOf({ targets }: Judged): readonly (string | undefined)[] {
  return targets.flatMap((target) =>
    target.kind === "path" ? target.resolutions.map((path) => path.real) : [],
  );
}
