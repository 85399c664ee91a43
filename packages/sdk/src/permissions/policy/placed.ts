/** A rule with its place in the order of all rules. */
export interface Placed<R> {
  readonly rule: R;
  readonly at: number;
}

/** The first of the list that fits, if it stands before `found` in the order of all rules. */
export function earlier<R>(
  found: Placed<R> | undefined,
  list: readonly Placed<R>[] | undefined,
  fits: (rule: R) => boolean,
): Placed<R> | undefined {
  if (list === undefined) return found;
  for (const placed of list) {
    if (found !== undefined && placed.at > found.at) return found;
    if (fits(placed.rule)) return placed;
  }
  return found;
}
