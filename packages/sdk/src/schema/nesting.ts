/** Levels of lists and objects in one another. Deeper JSON can be read, but no longer written: log and request would fail. */
const MOST_LEVELS = 500;

/** Whether a JSON value is nested no deeper than what can be written again. */
export function isWritable(value: unknown, levels: number = MOST_LEVELS): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isWritable(inner, levels - 1));
}
