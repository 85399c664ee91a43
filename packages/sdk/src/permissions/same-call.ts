import type { DecideCall } from "./call.ts";

/**
 * Everything of a call that a decision looks at, laid out in one list: the names and values of all fields there are, in
 * their order. The input is left out: it is seen only through the targets, and through functions of the tool, which
 * equal nothing but themselves.
 */
export type CallPrint = readonly unknown[];

// What stands for a list and for an object, and where one ends. No call can hold them.
const LIST = Symbol("list");
const FIELDS = Symbol("fields");
const END = Symbol("end");

export function printOf({ tool, targets, check, hooks }: DecideCall): CallPrint {
  const print: unknown[] = [];
  for (const part of [tool, targets, check, hooks]) lay(part, print);
  return print;
}

function lay(value: unknown, print: unknown[]): void {
  if (typeof value !== "object" || value === null) print.push(value);
  else if (Array.isArray(value)) {
    print.push(LIST);
    for (const item of value) lay(item, print);
    print.push(END);
  } else {
    print.push(FIELDS);
    for (const key in value) {
      const own = (value as Fields)[key];
      print.push(key);
      // Two targets of one line share its analysis: an equal one that is another would count as a second line.
      if (key === "analysis") print.push(own);
      else lay(own, print);
    }
    print.push(END);
  }
}

/**
 * Whether a call is equal, field by field, to the one that was printed. One whose fields stand in another order is not.
 *
 * Only the new call is walked: to look up fields of two objects by name takes several times as long.
 */
export function isPrinted(print: CallPrint, { tool, targets, check, hooks }: DecideCall): boolean {
  let at = sameValue(print, 0, tool);
  if (at >= 0) at = sameValue(print, at, targets);
  if (at >= 0) at = sameValue(print, at, check);
  return at >= 0 && sameValue(print, at, hooks) === print.length;
}

type Fields = Readonly<Record<string, unknown>>;

/** Where the print goes on behind this value, or -1. */
function sameValue(print: CallPrint, at: number, value: unknown): number {
  const known = print[at];
  // A comparison of two strings, or of two numbers, is far quicker than one of anything.
  if (typeof value === "string") return typeof known === "string" && known === value ? at + 1 : -1;
  if (typeof value === "number") return typeof known === "number" && known === value ? at + 1 : -1;
  if (known === value) return at + 1;
  if (typeof value !== "object" || value === null) return -1;
  if (known === LIST) return Array.isArray(value) ? sameList(print, at + 1, value) : -1;
  return known === FIELDS && !Array.isArray(value) ? sameFields(print, at + 1, value as Fields) : -1;
}

function sameList(print: CallPrint, start: number, list: readonly unknown[]): number {
  let at = start;
  for (let i = 0; i < list.length; i += 1) {
    // A list of the call that is longer comes to the end of the print's.
    at = sameValue(print, at, list[i]);
    if (at < 0) return -1;
  }
  return print[at] === END ? at + 1 : -1;
}

function sameFields(print: CallPrint, start: number, fields: Fields): number {
  let at = start;
  for (const key in fields) {
    if (print[at] !== key) return -1;
    at = sameValue(print, at + 1, fields[key]);
    if (at < 0) return -1;
  }
  return print[at] === END ? at + 1 : -1;
}
