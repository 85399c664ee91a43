import type { Judged } from "./types.ts";

/** Where the paths of a call really lie: what was allowed is these places, not the words for them. */
export function placesOf({ targets }: Judged): readonly (string | undefined)[] {
  return targets.flatMap((target) =>
    target.kind === "path" ? target.resolutions.map((path) => path.real) : [],
  );
}
