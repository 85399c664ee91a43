import { componentsOf, foldPath, unifyPath } from "../rule/fold.ts";
import { coversDescribed, matchesPath, patternMayMeet } from "../rule/path-match.ts";
import type { PathPattern } from "../rule/path-pattern.ts";
import type { Segment } from "../rule/segment.ts";
import { type BoundRule, isLive } from "./bound-rule.ts";

export interface PathRule extends BoundRule {
  readonly pattern: PathPattern;
}

/** Rules over paths, found by a directory that they start at or by a component that they hold. */
export interface PathIndex {
  readonly all: readonly PathRule[];
  readonly folded: boolean;
  /** Key: the literal components that every match begins with, joined by `/`. */
  readonly byPrefix: ReadonlyMap<string, readonly PathRule[]>;
  /** Key: a literal component that every match holds somewhere. */
  readonly byComponent: ReadonlyMap<string, readonly PathRule[]>;
  readonly rest: readonly PathRule[];
}

/** A path as an index compares it. */
export interface PathForm {
  readonly components: readonly string[];
  readonly directory: boolean | undefined;
}

export function indexPaths(rules: readonly PathRule[], folded: boolean): PathIndex {
  const byPrefix = new Map<string, PathRule[]>();
  const byComponent = new Map<string, PathRule[]>();
  const rest: PathRule[] = [];
  for (const rule of rules) {
    for (const list of rule.pattern.lists) {
      const prefix = literalPrefix(list);
      const inner = list.find((segment) => segment.kind === "literal");
      if (prefix !== "") push(byPrefix, prefix, rule);
      else if (inner?.kind === "literal") push(byComponent, inner.text, rule);
      else if (!rest.includes(rule)) rest.push(rule);
    }
  }
  return { all: rules, folded, byPrefix, byComponent, rest };
}

function literalPrefix(list: readonly Segment[]): string {
  let prefix = "";
  for (const segment of list) {
    if (segment.kind !== "literal") break;
    prefix += `/${segment.text}`;
  }
  return prefix;
}

function push(map: Map<string, PathRule[]>, key: string, rule: PathRule): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [rule]);
  else if (list[list.length - 1] !== rule) list.push(rule);
}

/** A path in the form that an index wants: folded where it ignores case. */
export function pathForm(path: string, folded: boolean, directory: boolean | undefined): PathForm {
  return { components: componentsOf(folded ? foldPath(path) : unifyPath(path)), directory };
}

/** The first rule that names the path and that `accepts` lets count. */
export function findPath(
  index: PathIndex,
  form: PathForm,
  now: number,
  accepts?: (rule: PathRule) => boolean,
): PathRule | undefined {
  if (index.all.length === 0) return undefined;
  const fits = (rule: PathRule): boolean =>
    isLive(rule, now) &&
    matchesPath(rule.pattern, form.components, form.directory) &&
    (accepts === undefined || accepts(rule));
  let prefix = "";
  for (const component of form.components) {
    prefix += `/${component}`;
    const found = index.byPrefix.get(prefix)?.find(fits) ?? index.byComponent.get(component)?.find(fits);
    if (found !== undefined) return found;
  }
  return index.rest.find(fits);
}

/** The first rule that names some path among those that the components describe. */
export function findPossiblePath(
  index: PathIndex,
  described: readonly Segment[],
  now: number,
): PathRule | undefined {
  return index.all.find((rule) => isLive(rule, now) && patternMayMeet(rule.pattern, described));
}

/** The first rule that names every path among those that the components describe. */
export function findCoveringPath(
  index: PathIndex,
  described: readonly Segment[],
  now: number,
): PathRule | undefined {
  return index.all.find((rule) => isLive(rule, now) && coversDescribed(rule.pattern, described));
}

/** Any rule at all that still counts. */
export function anyPathRule(index: PathIndex, now: number): PathRule | undefined {
  return index.all.find((rule) => isLive(rule, now));
}
