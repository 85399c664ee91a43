import type { Assignment } from "unbash";
import type { ShellAssignment } from "../protocol/index.ts";
import { spelled } from "./characters.ts";
import { MAX_WORDS } from "./limits.ts";
import type { State, Variable } from "./state.ts";
import { isHarmlessName, isOpaqueName } from "./variables.ts";
import type { Walk } from "./walk-types.ts";
import { isInteger } from "./words/arithmetic.ts";
import { decodeWord } from "./words/decode.ts";
import { alternativesOf } from "./words/decoded.ts";
import { checkArithmetic, walkNested } from "./words/parts.ts";

export interface DecodedAssignment {
  readonly shown: ShellAssignment;
  readonly raw: string;
  readonly variable: Variable;
}

/** One `NAME=value`, with what it makes opaque. */
export function decodeAssignment(node: Assignment, walk: Walk, state: State): DecodedAssignment {
  const raw = node.text.includes("\\\n") ? node.text.replace(/\\\n/g, "") : node.text;
  if (isOpaqueName(node.name)) walk.block("assignment", raw);
  const index = node.index;
  if (index !== undefined) {
    if (!isInteger(index.text)) checkArithmetic(raw, index.text, walk);
    walkNested([index], walk, state);
  }
  const value = node.value;
  if (value.type === "ArrayValue") {
    if (value.elements.length > MAX_WORDS) walk.block("too-many", raw);
    for (const element of value.elements.slice(0, MAX_WORDS)) {
      walkNested([element], walk, state);
      const subscript = /^\[(.*?)\]\+?=/s.exec(element.text)?.[1];
      if (subscript !== undefined) checkArithmetic(raw, subscript, walk);
    }
    const shown: ShellAssignment = {
      name: node.name,
      value: { raw: raw.slice(node.name.length + 1) },
      harmless: false,
    };
    return { shown, raw, variable: { values: [], open: true } };
  }
  const item = decodeWord(value, walk, state, true);
  const values: string[] = [];
  let open = false;
  for (const words of alternativesOf(item)) {
    const word = words[0];
    // An assigned value is neither split nor taken as a pattern.
    if (words.length === 0) values.push("");
    else if (words.length === 1 && word?.value !== undefined && !word.glob) values.push(word.value);
    else open = true;
  }
  const only = values.length === 1 && !open ? values[0] : undefined;
  const plain = node.append !== true && index === undefined;
  const shown: ShellAssignment = {
    name: node.name,
    value: { raw: value.text, ...(only === undefined ? {} : { value: spelled(only) }) },
    harmless: isHarmlessName(node.name) && only !== undefined && plain,
  };
  return { shown, raw, variable: plain ? { values, open } : { values, open: true } };
}
