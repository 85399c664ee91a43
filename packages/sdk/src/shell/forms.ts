import { hasMark, spelled, spelledWithVariables } from "./characters.ts";
import { addUnknownForm, type CommandDraft } from "./draft.ts";
import { addForm, type FormSet, hasForm } from "./form-set.ts";
import { MAX_UNKNOWN_FORMS } from "./limits.ts";
import { subCommandTails } from "./sub-command.ts";
import type { Walk } from "./walk-types.ts";
import type { Decoded } from "./words/decoded.ts";

/** A command word whose decoded text can stand in a form without meaning something else. */
const SAFE_COMMAND = /^[A-Za-z0-9_./:=@%+,~[\]{}!-]+$/;

function add(forms: FormSet, text: string, walk: Walk): void {
  if (hasForm(forms, text)) return;
  walk.formTextLeft -= text.length;
  if (walk.formTextLeft < 0) {
    walk.block("too-many", text);
    return;
  }
  addForm(forms, text);
}

export interface Written {
  /** Words as written, brace lists expanded. */
  readonly words: readonly string[];
  /** The words with a blank between them. */
  readonly joined: string;
  /** The command word without quotes, when it is known. */
  readonly program: string | undefined;
  readonly assignments: readonly string[];
  readonly onlyHarmless: boolean;
  /** What stands before the command and changes nothing: `time`. */
  readonly prefix: string;
}

/** The texts an allow rule may match. Arguments count as written. */
export function addAllowForms(draft: CommandDraft, written: Written, walk: Walk): void {
  const words = written.joined;
  const program = written.program;
  const first = written.words[0];
  if (
    program === first &&
    written.assignments.length === 0 &&
    written.prefix === "" &&
    words === words.trim()
  ) {
    // Most commands: one text.
    add(draft.allowForms, words, walk);
    add(draft.denyForms, words, walk);
    return;
  }
  const texts = [words];
  if (program !== undefined && first !== undefined && program !== first && SAFE_COMMAND.test(program)) {
    const bare = [spelled(program), ...written.words.slice(1)].join(" ");
    if (bare !== words) texts.push(bare);
  }
  for (const text of texts) {
    const whole = (written.assignments.length === 0 ? text : [...written.assignments, text].join(" ")).trim();
    add(draft.allowForms, whole, walk);
    if (written.onlyHarmless && text !== "") add(draft.allowForms, text, walk);
    if (written.prefix !== "") add(draft.allowForms, `${written.prefix} ${whole}`, walk);
  }
  for (const text of draft.allowForms.list) add(draft.denyForms, text, walk);
  if (words !== "") for (const text of texts) add(draft.denyForms, text, walk);
}

/** The texts that deny and ask rules are tried against, for one sequence of words. */
export function addDenyForms(
  draft: CommandDraft,
  words: readonly Decoded[],
  /** Those behind the first: who judges the command asks about the very same list. */
  rest: readonly Decoded[],
  walk: Walk,
  /** The words as they are spelt, where that is among the forms already. */
  spelt: string | undefined,
): void {
  const first = words[0];
  if (first === undefined) return;
  if (areKnown(words)) {
    if (
      spelt !== undefined &&
      isSpeltPlainly(words) &&
      PLAIN_NAME.test(first.raw) &&
      !mayHoldMark(words, spelt)
    )
      addTails(draft, first.raw, rest, walk);
    else addKnown(draft, first, rest, walk, spelt);
    return;
  }
  addUnknownForms(draft, words, walk);
  let end = words.length;
  while (end > 1 && mayVanish(words[end - 1])) end -= 1;
  if (end < words.length && words.slice(0, end).some((word) => word.value === undefined || word.glob)) {
    addUnknownForms(draft, words.slice(0, end), walk);
  }
  // Words that may vanish: what is left is tried as well.
  const left = words.filter((word) => word.value !== undefined || word.single);
  if (left.length < words.length && left[0] !== undefined && areKnown(left))
    addKnown(draft, left[0], left.slice(1), walk);
}

function areKnown(words: readonly Decoded[]): boolean {
  for (const word of words) if (word.value === undefined || word.glob) return false;
  return true;
}

function mayVanish(word: Decoded | undefined): boolean {
  return word !== undefined && !word.single && (word.value === undefined || word.glob);
}

/** `text` is what the words are spelt. */
function mayHoldMark(words: readonly Decoded[], text: string): boolean {
  for (const word of words) if (!word.plain) return hasMark(text);
  return false;
}

/** Nothing is quoted, and nothing put in. */
function isSpeltPlainly(words: readonly Decoded[]): boolean {
  for (const word of words) if (word.value !== word.raw) return false;
  return true;
}

function addTails(draft: CommandDraft, name: string, rest: readonly Decoded[], walk: Walk): void {
  for (const tail of withoutGlobalOptions(name, rest, walk)) {
    add(draft.denyForms, tail.length === 0 ? name : `${name} ${rawsOf(tail)}`, walk);
  }
}

/** A text of its own: put together from others it would be copied by the first who looks into it. */
function rawsOf(words: readonly Decoded[]): string {
  return words.length === 1 ? (words[0]?.raw ?? "") : words.map((word) => word.raw).join(" ");
}

function addKnown(
  draft: CommandDraft,
  first: Decoded,
  rest: readonly Decoded[],
  walk: Walk,
  /** As of `addDenyForms`. */
  spelt?: string,
): void {
  if (first.value === undefined) return;
  // Where the whole is spelt, the rest of it is a piece of that text: none is put together.
  const raws = spelt === undefined ? rawsOf(rest) : spelt.slice(first.raw.length + 1);
  if (PLAIN_NAME.test(first.value) && isSpeltPlainly(rest) && !mayHoldMark(rest, raws)) {
    // It is spelt in one way.
    const name = first.value;
    add(draft.denyForms, raws === "" ? name : `${name} ${raws}`, walk);
    addTails(draft, name, rest, walk);
    return;
  }
  const values = rest.map((word) => word.value ?? "").join(" ");
  const argumentTexts = [raws];
  for (const text of hasMark(values) ? [spelled(values), spelledWithVariables(values)] : [values])
    if (!argumentTexts.includes(text)) argumentTexts.push(text);
  const programs = programNames(spelled(first.value));
  for (const program of programs) {
    // As the words are spelt it is there already.
    const start = spelt !== undefined && program === first.raw ? 1 : 0;
    for (let at = start; at < argumentTexts.length; at += 1) {
      const text = argumentTexts[at] ?? "";
      add(draft.denyForms, text === "" ? program : `${program} ${text}`, walk);
    }
  }
  const name = lastName(programs);
  for (const tail of withoutGlobalOptions(name, rest, walk)) {
    add(draft.denyForms, [name, ...tail.map((word) => word.raw)].join(" "), walk);
    add(draft.denyForms, [name, ...tail.map((word) => spelled(word.value ?? ""))].join(" "), walk);
  }
}

const PLAIN_NAME = /^[a-z0-9_-]+$/;

function programNames(program: string): readonly string[] {
  if (PLAIN_NAME.test(program)) return [program];
  const names = new Set([program]);
  const base = program.slice(program.lastIndexOf("/") + 1);
  if (base !== "") names.add(base);
  for (const name of [...names]) names.add(name.toLowerCase());
  for (const name of [...names]) if (/\.exe$/i.test(name)) names.add(name.slice(0, -4));
  return [...names];
}

function lastName(names: readonly string[]): string {
  return names[names.length - 1] ?? "";
}

/** The words after the options that stand between a program and its sub-command, each way they may be read. */
function withoutGlobalOptions(
  program: string,
  rest: readonly Decoded[],
  walk: Pick<Walk, "block">,
): readonly (readonly Decoded[])[] {
  const tails = subCommandTails(program, rest);
  if (tails === undefined) walk.block("too-many", program);
  return tails ?? [];
}

function addUnknownForms(draft: CommandDraft, words: readonly Decoded[], walk: Walk): void {
  pushForm(draft, toPieces(words), walk);
  const first = words[0];
  if (first?.value === undefined || first.glob) return;
  const names = programNames(spelled(first.value));
  for (const name of names) {
    if (name !== first.value)
      pushForm(draft, toPieces([{ ...first, pieces: [name] }, ...words.slice(1)]), walk);
  }
  const name = lastName(names);
  for (const tail of withoutGlobalOptions(name, words.slice(1), walk)) {
    pushForm(draft, toPieces([{ ...first, pieces: [name] }, ...tail]), walk);
  }
}

function pushForm(draft: CommandDraft, pieces: readonly string[], walk: Walk): void {
  for (const form of draft.unknownForms) if (areSame(form.pieces, pieces)) return;
  if (draft.unknownForms.length < MAX_UNKNOWN_FORMS) addUnknownForm(draft, { pieces });
  else walk.block("too-many", draft.text);
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}

/** It may become no word, or several, and ends in what is not known. */
function isGapAtEnd(word: Decoded): boolean {
  return (word.value === undefined || word.glob) && !word.single && word.pieces?.at(-1) === "";
}

/** The blank after a word that may vanish belongs to the gap, so that `git $x push` may be `git push`. */
function toPieces(words: readonly Decoded[]): readonly string[] {
  const out: string[] = [""];
  words.forEach((word, index) => {
    const before = index === 0 ? undefined : words[index - 1];
    const separator = before === undefined || isGapAtEnd(before) ? "" : " ";
    const pieces = word.pieces ?? [word.value ?? ""];
    pieces.forEach((piece, at) => {
      if (at > 0) out.push("");
      out[out.length - 1] += (at === 0 ? separator : "") + spelled(piece);
    });
  });
  return out;
}
