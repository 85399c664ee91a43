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
  /** By the literal components that every match begins with, one level of the tree a component. */
  readonly byPrefix: PrefixNode;
  /** Key: a literal component that every match holds somewhere. */
  readonly byComponent: ReadonlyMap<string, readonly PathRule[]>;
  readonly rest: readonly PathRule[];
}

interface PrefixNode {
  readonly children: Map<string, PrefixNode>;
  readonly rules: PathRule[];
}

/** A path as an index compares it. */
export interface PathForm {
  readonly components: readonly string[];
  readonly directory: boolean | undefined;
}

export function indexPaths(rules: readonly PathRule[], folded: boolean): PathIndex {
  const byPrefix = newNode();
  const byComponent = new Map<string, PathRule[]>();
  const rest: PathRule[] = [];
  for (const rule of rules) {
    for (const list of rule.pattern.lists) {
      const node = nodeAt(byPrefix, list);
      const inner = list.find((segment) => segment.kind === "literal");
      if (node !== byPrefix) addOnce(node.rules, rule);
      else if (inner?.kind === "literal") addOnce(listAt(byComponent, inner.text), rule);
      else addOnce(rest, rule);
    }
  }
  return { all: rules, folded, byPrefix, byComponent, rest };
}

function newNode(): PrefixNode {
  return { children: new Map(), rules: [] };
}

/** The place of the literal components that a list begins with. */
function nodeAt(root: PrefixNode, list: readonly Segment[]): PrefixNode {
  let node = root;
  for (const segment of list) {
    if (segment.kind !== "literal") break;
    const next = node.children.get(segment.text) ?? newNode();
    node.children.set(segment.text, next);
    node = next;
  }
  return node;
}

function listAt(map: Map<string, PathRule[]>, key: string): PathRule[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}

function addOnce(list: PathRule[], rule: PathRule): void {
  if (list[list.length - 1] !== rule) list.push(rule);
}

/** A path in the form that an index wants: folded where it ignores case. */
export function pathForm(path: string, folded: boolean, directory: boolean | undefined): PathForm {
  const cache = folded ? foldedPaths : plainPaths;
  let components = cache.get(path);
  if (components === undefined) {
    components = componentsOf(folded ? foldPath(path) : unifyPath(path));
    if (cache.size >= MOST_PATHS) cache.clear();
    cache.set(path, components);
  }
  return { components, directory };
}

/** One call asks for the same path several times, and a session for the same few. */
const foldedPaths = new Map<string, readonly string[]>();
const plainPaths = new Map<string, readonly string[]>();
const MOST_PATHS = 512;

/** The first rule that names the path and that `accepts` lets count. */
export function findPath(
  index: PathIndex,
  form: PathForm,
  now: number,
  accepts?: (rule: PathRule) => boolean,
): PathRule | undefined {
  if (index.all.length === 0) return undefined;
  let node: PrefixNode | undefined = index.byPrefix;
  for (const component of form.components) {
    node = node?.children.get(component);
    const found =
      (node === undefined ? undefined : firstOf(node.rules, form, now, accepts)) ??
      firstOf(index.byComponent.get(component), form, now, accepts);
    if (found !== undefined) return found;
  }
  return firstOf(index.rest, form, now, accepts);
}

function firstOf(
  rules: readonly PathRule[] | undefined,
  form: PathForm,
  now: number,
  accepts: ((rule: PathRule) => boolean) | undefined,
): PathRule | undefined {
  if (rules === undefined) return undefined;
  for (const rule of rules) {
    if (!isLive(rule, now) || !matchesPath(rule.pattern, form.components, form.directory)) continue;
    if (accepts === undefined || accepts(rule)) return rule;
  }
  return undefined;
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
