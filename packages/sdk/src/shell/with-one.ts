/** The list with one more. Most lists have one or two, and are made at that size: one that is pushed to has room for 16 more. */
export function withOne<T extends {}>(list: readonly T[], entry: T): readonly T[] {
  const first = list[0];
  if (first === undefined) return [entry];
  if (list.length === 1) return [first, entry];
  (list as T[]).push(entry);
  return list;
}
