import { coversDescribed, patternMayMeet } from "../rule/path-match.ts";
import type { Segment } from "../rule/segment.ts";
import { isLive } from "./bound-rule.ts";
import type { PathIndex, PathRule, PrefixNode } from "./path-index.ts";

// Of rules that stand in several places of the index the first in the order of all is meant.

/** The first rule that names some path among those that the components describe. */
export function findPossiblePath(
  index: PathIndex,
  described: readonly Segment[],
  now: number,
): PathRule | undefined {
  if (index.all.length === 0) return undefined;
  const fits = (rule: PathRule): boolean => isLive(rule, now) && patternMayMeet(rule.pattern, described);
  if (!described.some(({ kind }) => kind !== "literal")) return index.all.find(fits);
  let first = earlier(index, undefined, index.floating, fits);
  let node: PrefixNode | undefined = index.byPrefix;
  for (const segment of described) {
    if (segment.kind !== "literal") {
      // Any of what starts below may be meant. Where that is nearly all, the first of all is found sooner.
      if (node !== undefined && node.count * 2 > index.all.length) return index.all.find(fits);
      return earlierBelow(index, first, node, fits);
    }
    node = node?.children.get(segment.text);
    first = earlier(index, first, node?.rules, fits);
  }
  return first;
}

function earlierBelow(
  index: PathIndex,
  found: PathRule | undefined,
  top: PrefixNode | undefined,
  fits: (rule: PathRule) => boolean,
): PathRule | undefined {
  let first = found;
  const stack = top === undefined ? [] : [...top.children.values()];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    first = earlier(index, first, node.rules, fits);
    for (const child of node.children.values()) stack.push(child);
  }
  return first;
}

/** The first rule that names every path among those that the components describe. */
export function findCoveringPath(
  index: PathIndex,
  described: readonly Segment[],
  now: number,
): PathRule | undefined {
  if (index.all.length === 0) return undefined;
  const fits = (rule: PathRule): boolean => isLive(rule, now) && coversDescribed(rule.pattern, described);
  let first = earlier(index, undefined, index.rest, fits);
  let node: PrefixNode | undefined = index.byPrefix;
  for (const segment of described) {
    // What a rule spells it covers only where the path spells it too.
    const text = segment.kind === "literal" ? segment.text : undefined;
    node = text === undefined ? undefined : node?.children.get(text);
    first = earlier(index, first, node?.rules, fits);
    if (text !== undefined) first = earlier(index, first, index.byComponent.get(text), fits);
  }
  return first;
}

function earlier(
  { order }: PathIndex,
  found: PathRule | undefined,
  rules: readonly PathRule[] | undefined,
  fits: (rule: PathRule) => boolean,
): PathRule | undefined {
  if (rules === undefined) return found;
  const limit = found === undefined ? Number.POSITIVE_INFINITY : (order.get(found) ?? 0);
  for (const rule of rules) {
    if ((order.get(rule) ?? 0) >= limit) return found;
    if (fits(rule)) return rule;
  }
  return found;
}
