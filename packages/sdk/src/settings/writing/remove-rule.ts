import { getNodePath, type Node } from "jsonc-parser";
import type { RuleBehavior } from "../../protocol/index.ts";
import { treeOf } from "../tree-of.ts";
import { nodesOf, rulesIn } from "./edit-rules.ts";

/**
 * The text of a settings file without a rule, as entry of its list or as rule object. Undefined where the rule does
 * not stand there, or the text is no JSON.
 */
export function removeRule(text: string, behavior: RuleBehavior, rule: string): string | undefined {
  if (rule.trim() === "") return undefined;
  let rest = text;
  // The parser is given each text anew: what it removes moves all that stands behind.
  for (let found = false; ; found = true) {
    const node = firstWith(rest, behavior, rule);
    if (node === undefined) return found ? rest : undefined;
    const less = without(rest, node, rule);
    if (less === rest) return found ? rest : undefined;
    rest = less;
  }
}

function firstWith(text: string, behavior: RuleBehavior, rule: string): Node | undefined {
  const root = treeOf(text);
  if (root === undefined) return undefined;
  return nodesOf(root, behavior).find(({ value }) => value === rule || rulesIn(String(value)).includes(rule));
}

function without(text: string, node: Node, rule: string): string {
  const left = node.value === rule ? [] : rulesIn(String(node.value)).filter((each) => each !== rule);
  const [start, end] = [node.offset, node.offset + node.length];
  const isText = node.parent?.type === "property" && getNodePath(node).at(-1) !== "rule";
  // A string that is the whole list keeps its place.
  if (left.length > 0 || isText)
    return text.slice(0, start) + (left.length > 0 ? JSON.stringify(left.join(",")) : "[]") + text.slice(end);
  return removeItem(text, node.parent?.type === "property" ? (node.parent.parent ?? node) : node);
}

/**
 * The text without an entry of a list. A line that held nothing else goes with it, its remark too; remarks of other
 * entries stay.
 */
export function removeItem(text: string, node: Node): string {
  const items = node.parent?.children ?? [];
  const end = node.offset + node.length;
  const before = items[items.indexOf(node) - 1];
  const next = items[items.indexOf(node) + 1];
  const close = (node.parent?.offset ?? 0) + (node.parent?.length ?? text.length) - 1;
  const behind = commaIn(text, end, next?.offset ?? close);
  const comma =
    behind ?? (before === undefined ? undefined : commaIn(text, before.offset + before.length, node.offset));
  const [from, to] = ownLine(text, node.offset, end) ?? [node.offset, inlineEnd(text, end, behind)];
  const rest = text.slice(0, from) + text.slice(to);
  // A comma before it stands before what was taken out.
  return comma === undefined || comma >= from ? rest : rest.slice(0, comma) + rest.slice(comma + 1);
}

const TOKENS = /\/\*[\s\S]*?\*\/|\/\/[^\r\n]*|,/gu;

/** Where a comma stands between two places, outside remarks. */
function commaIn(text: string, from: number, to: number): number | undefined {
  for (const { 0: token, index } of text.slice(from, to).matchAll(TOKENS)) {
    if (token === ",") return from + index;
  }
  return undefined;
}

/** The whole line of an entry that stands there alone. */
function ownLine(text: string, from: number, to: number): readonly [number, number] | undefined {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const newline = text.indexOf("\n", to);
  if (start === 0 || newline < 0 || text.slice(start, from).trim() !== "") return undefined;
  const rest = text.slice(to, newline);
  return /^[ \t]*,?[ \t]*(?:\/\/.*|\/\*[^*]*\*\/[ \t]*)?\r?$/u.test(rest) ? [start, newline + 1] : undefined;
}

/** With its comma, and the blanks behind that. */
function inlineEnd(text: string, end: number, comma: number | undefined): number {
  if (comma === undefined) return end;
  let at = comma + 1;
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at;
}
