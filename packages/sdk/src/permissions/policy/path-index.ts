import { createRecent } from "../../protocol/index.ts";
import { componentsOf, foldPath, unifyPath } from "../rule/fold.ts";
import { matchesPath } from "../rule/path-match.ts";
import type { PathPattern } from "../rule/path-pattern.ts";
import type { Segment } from "../rule/segment.ts";
import { type BoundRule, firstLive, isLive } from "./bound-rule.ts";
import { listAt } from "./list-at.ts";

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
  /** Those of `byComponent` and `rest`: their matches may lie anywhere. */
  readonly floating: readonly PathRule[];
  /** The place of each rule in `all`. */
  readonly order: ReadonlyMap<PathRule, number>;
}

export interface PrefixNode {
  readonly children: Map<string, PrefixNode>;
  readonly rules: PathRule[];
  /** How many lists of rules start here or below. */
  count: number;
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
  const floating: PathRule[] = [];
  for (const rule of rules) {
    for (const list of rule.pattern.lists) {
      const node = nodeAt(byPrefix, list);
      if (node !== byPrefix) {
        addOnce(node.rules, rule);
        continue;
      }
      addOnce(floating, rule);
      const inner = list.find((segment) => segment.kind === "literal");
      if (inner?.kind === "literal") addOnce(listAt(byComponent, inner.text), rule);
      else addOnce(rest, rule);
    }
  }
  const order = new Map(rules.map((rule, at) => [rule, at]));
  return { all: rules, folded, byPrefix, byComponent, rest, floating, order };
}

function newNode(): PrefixNode {
  return { children: new Map(), rules: [], count: 0 };
}

/** The place of the literal components that a list begins with. */
function nodeAt(root: PrefixNode, list: readonly Segment[]): PrefixNode {
  let node = root;
  for (const segment of list) {
    if (segment.kind !== "literal") break;
    const next = node.children.get(segment.text) ?? newNode();
    node.children.set(segment.text, next);
    next.count += 1;
    node = next;
  }
  return node;
}

function addOnce(list: PathRule[], rule: PathRule): void {
  if (list[list.length - 1] !== rule) list.push(rule);
}

/** A path in the form that an index wants: folded where it ignores case. */
export function pathForm(path: string, folded: boolean, directory: boolean | undefined): PathForm {
  const text = folded ? foldPath(path) : unifyPath(path);
  let components = recentPaths.get(text);
  if (components === undefined) {
    components = componentsOf(text);
    recentPaths.set(text, components);
  }
  return { components, directory };
}

/** One call asks for the same path several times, and a session for the same few. */
const recentPaths = createRecent<readonly string[]>(64);

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

/** Any rule at all that still counts. */
export function anyPathRule(index: PathIndex, now: number): PathRule | undefined {
  return firstLive(index.all, now);
}
