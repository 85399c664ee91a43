import { type Node, type ParseError, parseTree } from "jsonc-parser";

/** The tree of a text of JSON with comments; undefined where it holds no value or is malformed. */
export function treeOf(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(withoutMark(text), errors, { allowTrailingComma: true, allowEmptyContent: true });
  return errors.length > 0 ? undefined : root;
}

/** A byte order mark is one character: as a blank it moves nothing. */
export function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? ` ${text.slice(1)}` : text;
}
