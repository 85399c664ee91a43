import { MAX_VALUE, MAX_VARIANTS } from "../limits.ts";
import type { Variable } from "../state.ts";
import type { Decoded } from "./decoded.ts";

/** One way a word may turn out, while its parts are read from left to right. */
interface Strand {
  readonly done: Decoded[];
  pieces: string[];
  /** Of all pieces together. */
  length: number;
  /** The value with literal pattern characters escaped, for words that turn out to be patterns. */
  pattern: string;
  isKnown: boolean;
  glob: boolean;
  single: boolean;
  /** Something stands here even when the value is empty. */
  present: boolean;
}

export interface Strands {
  readonly raw: string;
  list: Strand[];
}

const BLANK = /[ \t\n]+/;
const PATTERN = /[*?[\]\\]/;
const ONE_FIELD = /^[^ \t\n*?[\]\\]+$/;

export function startStrands(raw: string): Strands {
  return { raw, list: [fresh([])] };
}

function fresh(done: Decoded[]): Strand {
  return {
    done,
    pieces: [""],
    length: 0,
    pattern: "",
    isKnown: true,
    glob: false,
    single: true,
    present: false,
  };
}

export function addLiteral(strands: Strands, text: string, present = true): void {
  for (const strand of strands.list) append(strand, text, present);
}

function append(strand: Strand, text: string, present: boolean): void {
  const last = strand.pieces.length - 1;
  strand.pieces[last] = (strand.pieces[last] ?? "") + text;
  strand.length += text.length;
  strand.pattern += PATTERN.test(text) ? text.replace(/[*?[\]\\]/g, "\\$&") : text;
  strand.present ||= present;
}

export function addGlob(strands: Strands, text: string): void {
  for (const strand of strands.list) appendGlob(strand, text);
}

function appendGlob(strand: Strand, text: string): void {
  strand.pieces.push("");
  strand.pattern += text;
  strand.glob = true;
  strand.single = false;
  strand.present = true;
}

/** A piece of unknown text; `single` when it cannot become several words or none. */
export function addUnknown(strands: Strands, single: boolean): void {
  for (const strand of strands.list) appendUnknown(strand, single);
}

function appendUnknown(strand: Strand, single: boolean): void {
  strand.pieces.push("");
  strand.isKnown = false;
  if (!single) strand.single = false;
  else strand.present = true;
}

/** A variable's possible values, each put in; an open one stays unknown beside them. */
export function addVariable(strands: Strands, variable: Variable, quoted: boolean): void {
  const only = variable.values.length === 1 && !variable.open ? variable.values[0] : undefined;
  if (only === undefined || !fitsAll(strands.list, only)) addCopies(strands, variable, quoted);
  // No strand needs a copy.
  else for (const strand of strands.list) addValue(strand, only, quoted);
}

function fitsAll(list: readonly Strand[], value: string): boolean {
  return list.length <= MAX_VARIANTS && list.every((strand) => fits(strand, value));
}

function fits(strand: Strand, value: string): boolean {
  return strand.length + value.length <= MAX_VALUE;
}

function addValue(strand: Strand, value: string, quoted: boolean): void {
  if (quoted) append(strand, value, true);
  else appendSplit(strand, value);
}

function addCopies(strands: Strands, variable: Variable, quoted: boolean): void {
  const grown: Strand[] = [];
  for (const strand of strands.list) {
    for (const value of variable.values) {
      if (grown.length >= MAX_VARIANTS || !fits(strand, value)) continue;
      const copy = cloneStrand(strand);
      addValue(copy, value, quoted);
      grown.push(copy);
    }
  }
  const complete = grown.length === strands.list.length * variable.values.length;
  if (variable.open || !complete) {
    for (const strand of strands.list) {
      appendUnknown(strand, quoted);
      grown.push(strand);
    }
  }
  strands.list = grown.length > 2 * MAX_VARIANTS ? [anything()] : grown;
}

/** Stands for too many ways: any words, or none. */
function anything(): Strand {
  const strand = fresh([]);
  appendUnknown(strand, false);
  return strand;
}

function cloneStrand(strand: Strand): Strand {
  return {
    done: strand.done.slice(),
    pieces: strand.pieces.slice(),
    length: strand.length,
    pattern: strand.pattern,
    isKnown: strand.isKnown,
    glob: strand.glob,
    single: strand.single,
    present: strand.present,
  };
}

/** Without quotes the shell splits a value at blanks and takes its pattern characters as such. */
function appendSplit(strand: Strand, value: string): void {
  if (ONE_FIELD.test(value)) {
    append(strand, value, true);
    return;
  }
  const fields = value.split(BLANK);
  fields.forEach((field, index) => {
    if (index > 0) closeWord(strand);
    if (field === "") return;
    if (PATTERN.test(field)) {
      appendGlob(strand, field);
      // The pieces around a pattern are not told apart here: the gap covers them.
    } else append(strand, field, true);
  });
}

function closeWord(strand: Strand): void {
  if (strand.present) strand.done.push(toDecoded(strand, ""));
  const next = fresh(strand.done);
  Object.assign(strand, next);
}

export function finishStrands(strands: Strands): Decoded[][] {
  const only = strands.list[0];
  if (only !== undefined && strands.list.length === 1 && only.done.length === 0) {
    return [only.present || !only.isKnown ? [toDecoded(only, strands.raw)] : []];
  }
  return strands.list.map((strand) => {
    const words = [...strand.done];
    if (strand.present || !strand.isKnown) words.push(toDecoded(strand, strands.raw));
    return words.map((word, index) => ({
      ...word,
      raw: index === 0 ? strands.raw : (word.value ?? word.raw),
    }));
  });
}

function toDecoded(strand: Strand, raw: string): Decoded {
  const { pieces, glob } = strand;
  const single = strand.single && strand.done.length === 0;
  if (!strand.isKnown) return { raw, pieces, glob, single, plain: false };
  // Without a pattern one piece is all there is.
  if (!glob) return { raw, value: pieces[0] ?? "", pieces: undefined, glob, single, plain: false };
  return { raw, value: strand.pattern, pieces, glob, single, plain: false };
}
