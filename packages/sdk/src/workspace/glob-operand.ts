/** A shell pattern, cut where it stops being literal. */
export interface GlobOperand {
  /** The literal directory in front, backslashes taken off. `""`: the pattern starts at once. */
  readonly prefix: string;
  /** The parts from the first one with a wildcard on; at least one. */
  readonly rest: readonly string[];
}

/**
 * Cuts a pattern. The prefix is every part before the first that holds an unescaped `*`, `?` or `[`;
 * of a pattern without wildcards it is all but the last part.
 */
export function cutGlob(pattern: string): GlobOperand {
  const parts = pattern.split("/");
  while (parts.at(-1) === "") parts.pop();
  // -1, no wildcard: counted from the end, that is the last part.
  const first = parts.findIndex(hasWildcard);
  const prefix = parts.slice(0, first).map(withoutBackslashes).join("/");
  const rest = parts.slice(first).filter((part) => part !== "" && part !== ".");
  const absolute = pattern.startsWith("/") && prefix === "";
  return { prefix: absolute ? "/" : prefix, rest: rest.length > 0 ? rest : ["*"] };
}

/** Whether a part of a pattern holds an unescaped `*`, `?` or `[`. */
export function hasWildcard(part: string): boolean {
  return /^(?:[^\\*?[]|\\.)*[*?[]/s.test(part);
}

function withoutBackslashes(part: string): string {
  return part.replace(/\\(.)/gs, "$1");
}
