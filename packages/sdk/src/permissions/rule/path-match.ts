import type { PathPattern } from "./path-pattern.ts";
import { matchesSegment, type Segment, segmentsMeet } from "./segment.ts";

/** Whether the pattern names this path, or for a covering pattern a directory above it. */
export function matchesPath(
  pattern: PathPattern,
  components: readonly string[],
  directory: boolean | undefined,
): boolean {
  return pattern.lists.some((list) => {
    if (!matchesList(list, components)) return false;
    if (!pattern.directoryOnly || directory === true) return true;
    return !matchesList(list.slice(0, -1), components);
  });
}

/** `**` is the only component that takes several; the leftmost fit of each piece between two of them is enough. */
function matchesList(list: readonly Segment[], components: readonly string[]): boolean {
  let part = 0;
  let at = 0;
  let backPart = -1;
  let backAt = 0;
  while (at < components.length) {
    const current = list[part];
    if (current?.kind === "deep") {
      if (part === list.length - 1) return true;
      backPart = part;
      backAt = at;
      part += 1;
    } else if (current !== undefined && matchesSegment(current, components[at] ?? "")) {
      part += 1;
      at += 1;
    } else if (backPart >= 0) {
      backAt += 1;
      at = backAt;
      part = backPart + 1;
    } else {
      return false;
    }
  }
  while (list[part]?.kind === "deep") part += 1;
  return part === list.length;
}

/** Whether the pattern names the path itself and not only a directory above it. */
export function namesItself(pattern: PathPattern, components: readonly string[]): boolean {
  return !pattern.lists.some((list) => {
    const covering = list[list.length - 1]?.kind === "deep";
    return covering && matchesList(list, components.slice(0, -1));
  });
}

/** Whether a path that this list of components describes could be one that the pattern names. */
export function patternMayMeet(pattern: PathPattern, described: readonly Segment[]): boolean {
  return pattern.lists.some((list) => listsMeet(list, described));
}

/** Whether two lists with wildcards and `**` describe a common path. */
function listsMeet(a: readonly Segment[], b: readonly Segment[]): boolean {
  // Up to the first `**` they go side by side: most rules part from the path there.
  let start = 0;
  for (; start < a.length && start < b.length; start += 1) {
    const left = a[start];
    const right = b[start];
    if (left === undefined || right === undefined || isDeep(left) || isDeep(right)) break;
    if (!segmentsMeet(left, right)) return false;
  }
  return start === 0 ? restsMeet(a, b) : restsMeet(a.slice(start), b.slice(start));
}

function restsMeet(a: readonly Segment[], b: readonly Segment[]): boolean {
  const firstSolid = b.findIndex((segment) => !isDeep(segment));
  const runs = firstSolid < 0 ? b.length : firstSolid;
  let reach: boolean[] = Array.from({ length: b.length + 1 }, (_, j) => j <= runs);
  for (const left of a) {
    const next: boolean[] = [isDeep(left) && reach[0] === true];
    for (let j = 1; j <= b.length; j += 1) {
      const right = b[j - 1];
      if (right === undefined) break;
      const skipLeft = isDeep(left) && (reach[j] === true || next[j - 1] === true);
      const skipRight = isDeep(right) && (next[j - 1] === true || reach[j] === true);
      next.push((reach[j - 1] === true && segmentsMeet(left, right)) || skipLeft || skipRight);
    }
    reach = next;
  }
  return reach[b.length] === true;
}

function isDeep(segment: Segment): boolean {
  return segment.kind === "deep";
}

/** Whether every path that the list describes is one that the pattern names; false where that cannot be shown. */
export function coversDescribed(pattern: PathPattern, described: readonly Segment[]): boolean {
  return pattern.lists.some((list) => listCovers(list, described));
}

function listCovers(list: readonly Segment[], described: readonly Segment[]): boolean {
  let part = 0;
  let at = 0;
  let backPart = -1;
  let backAt = 0;
  while (at < described.length) {
    const current = list[part];
    const other = described[at];
    if (current?.kind === "deep") {
      backPart = part;
      backAt = at;
      part += 1;
    } else if (current !== undefined && other !== undefined && segmentCovers(current, other)) {
      part += 1;
      at += 1;
    } else if (backPart >= 0) {
      backAt += 1;
      at = backAt;
      part = backPart + 1;
    } else {
      return false;
    }
  }
  while (list[part]?.kind === "deep") part += 1;
  return part === list.length;
}

function segmentCovers(segment: Segment, other: Segment): boolean {
  if (other.kind === "deep") return false;
  if (other.kind === "literal") return matchesSegment(segment, other.text);
  return segment.kind === "glob" && (segment.source === "*" || segment.source === other.source);
}
