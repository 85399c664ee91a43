import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { JsonValue } from "../../protocol/index.ts";
import { withoutMark } from "../tree-of.ts";

/** A settings file taken apart: its value, its tree for positions, and keys that stand twice. */
export interface ParsedText {
  readonly value: JsonValue;
  readonly root: Node | undefined;
  /** Paths of keys that an earlier key of the same object has as well; the last of them is in `value`. */
  readonly doubled: readonly (readonly (string | number)[])[];
}

export type TextFault = { readonly fault: string; readonly line: number };

/**
 * Reads JSON with comments and trailing commas. A text of blanks and comments only is an empty object. A byte order
 * mark is skipped.
 */
export function parseText(text: string): ParsedText | TextFault {
  const errors: ParseError[] = [];
  const doubled: (string | number)[][] = [];
  try {
    const root = parseTree(withoutMark(text), errors, { allowTrailingComma: true, allowEmptyContent: true });
    const [error] = errors;
    if (error !== undefined) {
      return {
        fault: WORDS.get(printParseErrorCode(error.error)) ?? "this is no JSON",
        line: lineAt(text, error.offset),
      };
    }
    if (root === undefined) return { value: {}, root, doubled };
    return { value: jsonOf(root, [], doubled), root, doubled };
  } catch {
    // The parser calls itself for each level.
    return { fault: "it is nested too deep", line: 1 };
  }
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ["InvalidSymbol", "a word that is no JSON stands here"],
  ["InvalidNumberFormat", "this is no number"],
  ["PropertyNameExpected", "the name of a key is expected here, in double quotes"],
  ["ValueExpected", "a value is expected here"],
  ["ColonExpected", "a colon is missing here"],
  ["CommaExpected", "a comma is missing here"],
  ["CloseBraceExpected", "a `}` is missing here"],
  ["CloseBracketExpected", "a `]` is missing here"],
  ["EndOfFileExpected", "text stands behind the end"],
  ["InvalidCommentToken", "this comment is never closed"],
  ["UnexpectedEndOfComment", "this comment is never closed"],
  ["UnexpectedEndOfString", "this string is never closed"],
  ["UnexpectedEndOfNumber", "this number is not whole"],
  ["InvalidUnicode", "this `\\u` is followed by no four digits"],
  ["InvalidEscapeCharacter", "this backslash is followed by no character that it can stand before"],
  ["InvalidCharacter", "a control character stands here"],
]);

/** The value of a node. Its keys are own properties, whatever they are called. */
function jsonOf(node: Node, path: (string | number)[], doubled: (string | number)[][]): JsonValue {
  if (node.type === "array") {
    return (node.children ?? []).map((child, index) => jsonOf(child, [...path, index], doubled));
  }
  if (node.type !== "object") return node.value as JsonValue;
  const entries = new Map<string, JsonValue>();
  for (const { children = [] } of node.children ?? []) {
    const [name, value] = children;
    if (name === undefined || value === undefined) continue;
    const key = String(name.value);
    const place = [...path, key];
    if (entries.has(key)) doubled.push(place);
    entries.set(key, jsonOf(value, place, doubled));
  }
  return Object.fromEntries(entries);
}

/** The 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
