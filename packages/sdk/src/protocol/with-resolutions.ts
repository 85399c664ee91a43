import type { PathResolution, PathTarget, ResolvedPathTarget } from "./target.ts";

/** A path target with what the disk says of it. The target itself stays as it is. */
export function withResolutions(
  target: PathTarget,
  resolutions: readonly PathResolution[],
): ResolvedPathTarget {
  // A field in front of the spread: without one V8 gives each copy a hidden class of its own. To read from such an
  // object costs a decision more than all of its rules.
  const rest: Omit<PathTarget, "kind"> = target;
  return { kind: "path", ...rest, resolutions };
}
