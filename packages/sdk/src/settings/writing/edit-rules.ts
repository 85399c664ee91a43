import type { Node } from "jsonc-parser";
import { parseRuleList } from "../../permissions/index.ts";
import type { RuleBehavior } from "../../protocol/index.ts";
import { treeOf } from "../tree-of.ts";

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
  const holders = new Map<RuleBehavior, ReadonlyMap<string, readonly Node[]>>();
  const places = new Map<Node, Place>();
  const done = edits.filter((edit) => {
    const { behavior, rule } = edit;
    const ofList = holders.get(behavior) ?? holdersOf(root, behavior);
    holders.set(behavior, ofList);
    const nodes = ofList.get(rule) ?? [];
    for (const node of nodes) put(places, node, edit);
    return nodes.length > 0;
  });
  const parts: string[] = [];
  let from = 0;
  for (const place of [...places.values()].sort((a, b) => a.node.offset - b.node.offset)) {
    parts.push(text.slice(from, place.node.offset), written(text, place));
    from = place.node.offset + place.node.length;
  }
  return { text: parts.join("") + text.slice(from), done };
}

/** The strings that hold each rule, alone or among others. */
function holdersOf(root: Node, behavior: RuleBehavior): ReadonlyMap<string, readonly Node[]> {
  const holders = new Map<string, Node[]>();
  for (const node of nodesOf(root, behavior)) {
    for (const rule of new Set([String(node.value), ...rulesIn(String(node.value))])) {
      const nodes = holders.get(rule) ?? [];
      holders.set(rule, nodes);
      nodes.push(node);
    }
  }
  return holders;
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

/** What stands in the place of a string. */
function written(text: string, { node, value, beside }: Place): string {
  const end = node.offset + node.length;
  const own = value === node.value ? text.slice(node.offset, end) : JSON.stringify(value);
  const others = beside.map((each) => JSON.stringify(each));
  // A remark on the same line belongs to the rule that stands there.
  const remark = /^[ \t]*,?[ \t]*\/[/*]/u.test(text.slice(end, lineEnd(text, end)));
  const all = remark ? [...others, own] : [own, ...others];
  return all.join(`,${ownIndent(text, node.offset) ?? " "}`);
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  return newline < 0 ? text.length : newline;
}

/** The line break and the blanks before a string that begins its line. */
function ownIndent(text: string, offset: number): string | undefined {
  const newline = text.lastIndexOf("\n", offset - 1);
  if (newline < 0) return undefined;
  const blanks = text.slice(newline + 1, offset);
  if (!/^[ \t]*$/u.test(blanks)) return undefined;
  return `${text[newline - 1] === "\r" ? "\r" : ""}\n${blanks}`;
}
