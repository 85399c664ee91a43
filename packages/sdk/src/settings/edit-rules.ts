import type { Node } from "jsonc-parser";
import { parseRuleList } from "../permissions/index.ts";
import type { RuleBehavior } from "../protocol/index.ts";
import { treeOf } from "./tree-of.ts";

/** A change of one rule in the text of a settings file. */
export interface RuleEdit {
  readonly behavior: RuleBehavior;
  /** As it stands in the file. */
  readonly rule: string;
  /** The rule to write in its place or beside it. */
  readonly write: string;
  readonly how: "replace" | "add";
}

/** The text with its rules changed, and which of the edits found their rule. */
export interface EditedRules {
  readonly text: string;
  readonly done: readonly RuleEdit[];
}

interface Place {
  readonly node: Node;
  /** The value to write there, and the values to write beside it. */
  value: string;
  readonly beside: string[];
}

/**
 * Changes rules in the text of a settings file (JSONC). Comments, order and formatting stay: only the strings that
 * hold the rules are touched. A rule that stands there several times is changed each time. A text that is no JSON is
 * left as it is.
 */
export function editRules(text: string, edits: readonly RuleEdit[]): EditedRules {
  const root = treeOf(text);
  if (root === undefined) return { text, done: [] };
  const places = new Map<Node, Place>();
  const done = edits.filter((edit) => {
    const nodes = nodesOf(root, edit.behavior).filter((node) => holds(node, edit.rule));
    for (const node of nodes) put(places, node, edit);
    return nodes.length > 0;
  });
  const ordered = [...places.values()].sort((a, b) => b.node.offset - a.node.offset);
  return { text: ordered.reduce(written, text), done };
}

/** The strings that hold rules of a behaviour: entries of its lists, also at the root, and rule objects. */
export function nodesOf(root: Node, behavior: RuleBehavior): Node[] {
  const blocks = [root, ...valuesOf(root, "permissions")];
  const entries = blocks.flatMap((block) => valuesOf(block, behavior)).flatMap(itemsOf);
  const objects = blocks
    .flatMap((block) => valuesOf(block, "rules"))
    .flatMap(itemsOf)
    .filter((each) => valuesOf(each, "behavior").some(({ value }) => value === behavior));
  return [...entries, ...objects]
    .flatMap((each) => (each.type === "object" ? valuesOf(each, "rule") : [each]))
    .filter((node) => node.type === "string");
}

/** The values of a key; several where it stands there twice. */
function valuesOf(node: Node, key: string): Node[] {
  if (node.type !== "object") return [];
  return (node.children ?? []).flatMap(({ children = [] }) => {
    const [name, value] = children;
    return name?.value === key && value !== undefined ? [value] : [];
  });
}

function itemsOf(node: Node): readonly Node[] {
  return node.type === "array" ? (node.children ?? []) : [node];
}

function holds({ value }: Node, rule: string): boolean {
  return value === rule || rulesIn(String(value)).includes(rule);
}

/** One string may join several rules with commas. */
export function rulesIn(value: string): string[] {
  return parseRuleList([value], "allow", "session").map(({ text }) => text);
}

function put(places: Map<Node, Place>, node: Node, { rule, write, how }: RuleEdit): void {
  const place = places.get(node) ?? { node, value: String(node.value), beside: [] };
  places.set(node, place);
  const inList = node.parent?.type === "array";
  if (how === "add" && inList) {
    if (!place.beside.includes(write)) place.beside.push(write);
  } else if (place.value === rule) {
    place.value = how === "add" ? `${rule},${write}` : write;
  } else {
    const rules = rulesIn(place.value).flatMap((each) => {
      if (each !== rule) return [each];
      return how === "add" ? [each, write] : [write];
    });
    place.value = rules.join(",");
  }
}

function written(text: string, { node, value, beside }: Place): string {
  const start = text.slice(0, node.offset);
  const end = text.slice(node.offset + node.length);
  const own =
    value === node.value ? text.slice(node.offset, node.offset + node.length) : JSON.stringify(value);
  const others = beside.map((each) => JSON.stringify(each));
  const indent = /(?:^|\r?\n)[ \t]*$/u.exec(start)?.[0];
  const gap = `,${indent === undefined || indent === "" ? " " : indent}`;
  // A remark on the same line belongs to the rule that stands there.
  const remark = /^[ \t]*,?[ \t]*\/[/*]/u.test(end);
  const all = remark ? [...others, own] : [own, ...others];
  return start + all.join(gap) + end;
}
