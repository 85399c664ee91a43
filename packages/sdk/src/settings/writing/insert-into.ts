import type { Node } from "jsonc-parser";
import { tailOf } from "./tail-of.ts";
import { indentAt, styleOf } from "./text-style.ts";

/** Writes the pieces; `base` is what a line inside the container is indented by, undefined for a single line. */
export type Pieces = (base: string | undefined) => readonly string[];

/**
 * The text with pieces put at the end of a list or an object. What is there stays as it is, remarks included: the new
 * pieces stand on lines of their own where the others do.
 */
export function insertInto(text: string, container: Node, pieces: Pieces): string {
  const last = container.children?.at(-1);
  return last === undefined ? intoEmpty(text, container, pieces) : behindLast(text, container, last, pieces);
}

function intoEmpty(text: string, container: Node, pieces: Pieces): string {
  const { eol, indent } = styleOf(text);
  const open = container.offset + 1;
  const close = container.offset + container.length - 1;
  const inside = text.slice(open, close);
  // A file of a single line stays one.
  if (!text.trim().includes("\n") && inside.trim() === "" && text.trim().length > 2) {
    return text.slice(0, open) + pieces(undefined).join(", ") + text.slice(close);
  }
  const outer = indentAt(text, container.offset);
  const base = outer + indent;
  const lines = pieces(base)
    .map((piece) => eol + base + piece)
    .join(",");
  // A remark inside stays behind what is new.
  const rest = inside.trim() === "" ? eol + outer : inside;
  return text.slice(0, open) + lines + rest + text.slice(close);
}

function behindLast(text: string, container: Node, last: Node, pieces: Pieces): string {
  const { eol } = styleOf(text);
  const end = last.offset + last.length;
  const close = container.offset + container.length - 1;
  const tail = tailOf(text.slice(end, close));
  const before = text.slice(0, last.offset);
  const ownLine = /(?:^|\n)[ \t]*$/u.test(before);
  const base = ownLine
    ? indentAt(text, last.offset)
    : tail.lineRemark
      ? indentAt(text, container.offset)
      : undefined;
  const gap = base === undefined ? " " : eol + base;
  const added = pieces(base)
    .map((piece) => gap + piece)
    .join(",");
  const comma = tail.comma === undefined ? "," : "";
  const at = end + tail.stop;
  return (
    text.slice(0, end) +
    comma +
    text.slice(end, at) +
    added +
    (tail.comma === undefined ? "" : ",") +
    text.slice(at)
  );
}
