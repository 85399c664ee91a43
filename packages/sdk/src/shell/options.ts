import type { Program } from "./program.ts";
import { withOne } from "./with-one.ts";
import { type Decoded, literal, startOf } from "./words/decoded.ts";

export interface GivenOption {
  readonly name: string;
  readonly value?: Decoded;
}

export interface Arguments {
  /** Every flag is in the table, and none can hide in an unknown word. */
  readonly sure: boolean;
  readonly options: readonly GivenOption[];
  readonly operands: readonly Decoded[];
  /** A flag that is not in the table was given: what looks like a pattern may be a file. */
  readonly strange: boolean;
}

// Not frozen: to go through a list of another kind than the rest makes objects.
const NO_OPTIONS: readonly GivenOption[] = [];
const NO_WORDS: readonly Decoded[] = [];

/** Tells flags from operands the way most programs do, by the program's table. */
export function readArguments(program: Program, words: readonly Decoded[]): Arguments {
  let options: readonly GivenOption[] = NO_OPTIONS;
  let operands: readonly Decoded[] = NO_WORDS;
  let sure = true;
  let strange = false;
  let ended = false;
  const anyText = program.entry.harmlessFlags === true && program.entry.operands === "text";
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (ended || !mayBeFlag(word)) {
      if (!ended && word.value === undefined && !word.single && !anyText) sure = false;
      // Behind an option that is not in the table this may be its value.
      if (program.entry.flagsFirst === true && !strange) ended = true;
      operands = withOne(operands, word);
      continue;
    }
    const text = spelling(program, word);
    if (text === undefined && word.glob) {
      // `--include=*.ts`: whatever it matches is the same option with another value.
      const name = /^(--[\w-]+)=/.exec(startOf(word))?.[1];
      if (name !== undefined && program.valued.has(name) && !program.paths.has(name)) {
        options = withOne(options, { name, value: word });
        continue;
      }
    }
    if (text === undefined) {
      if (program.entry.harmlessFlags !== true || !(word.glob || anyText)) sure = false;
      operands = withOne(operands, word);
      continue;
    }
    if (text === "--") {
      ended = true;
      continue;
    }
    if (program.two.size > 0 && program.two.has(text)) {
      const value = words[at + 2];
      if (value === undefined || words[at + 1]?.single !== true) sure = false;
      options = withOne(options, value === undefined ? { name: text } : { name: text, value });
      at += 2;
      continue;
    }
    if (text.startsWith("--") || isWhole(program, text)) {
      const equals = text.indexOf("=");
      const given = equals < 0 ? text : text.slice(0, equals);
      const name = fullName(program, given);
      // What a shortened name stands for may differ from one version to the next.
      if (name !== given || program.unlisted.has(name)) sure = false;
      if (program.valued.has(name)) {
        const value = equals < 0 ? words[at + 1] : attachedValue(word, text.slice(equals + 1));
        if (equals < 0) at += 1;
        if (value === undefined) sure = false;
        else options = withOne(options, { name, value });
      } else {
        if (!program.flags.has(name)) {
          sure = false;
          strange = true;
        }
        options = withOne(
          options,
          equals < 0 ? { name } : { name, value: attachedValue(word, text.slice(equals + 1)) },
        );
      }
      continue;
    }
    if (program.entry.digits === true && /^-\d+$/.test(text)) {
      options = withOne(options, { name: "-digits" });
      continue;
    }
    const single = program.entry.dash === "single";
    for (let letter = 1; letter < (single ? 2 : text.length); letter += 1) {
      const name = shortName(text, letter);
      if (program.valued.has(name)) {
        if (program.unlisted.has(name)) sure = false;
        const attached = text.slice(letter + 1);
        const value = attached === "" ? words[at + 1] : attachedValue(word, attached);
        if (attached === "") at += 1;
        if (value === undefined) sure = false;
        else options = withOne(options, { name, value });
        break;
      }
      if (!program.flags.has(name)) {
        sure = false;
        strange = true;
      }
      options = withOne(options, { name });
    }
  }
  return { sure, options, operands, strange };
}

/** The option that a shortened `--name` stands for: of several the one with a path, so that none is overlooked. */
function fullName(program: Program, given: string): string {
  if (given.length < 3 || program.valued.has(given) || program.flags.has(given)) return given;
  const fits = (name: string): boolean => name.startsWith(given);
  return [...program.paths.keys()].find(fits) ?? [...program.valued, ...program.flags].find(fits) ?? given;
}

/** With single dashes `--name` is `-name`. */
function spelling(program: Program, word: Decoded): string | undefined {
  const text = word.glob ? undefined : word.value;
  return program.entry.dash === "single" && text?.startsWith("--") === true && text.length > 2
    ? text.slice(1)
    : text;
}

/** `-name` is one option, where a program takes them so. */
function isWhole(program: Program, text: string): boolean {
  if (program.entry.dash !== "single") return text.length > 2 && program.runs.has(text);
  const name = text.split("=", 1)[0] ?? text;
  return name.length > 2 && (program.valued.has(name) || program.flags.has(name));
}

function attachedValue(word: Decoded, text: string): Decoded {
  return literal(word.raw, text);
}

/** A word that may be a flag: it starts with a dash, or its start is not known. */
export function mayBeFlag(word: Decoded): boolean {
  const start = startOf(word);
  if (start === "") return word.value !== "" || word.glob;
  if (start === "-") return word.pieces !== undefined;
  return start.startsWith("-");
}

/** Made once: a text that is put together for each look-up is hashed each time. */
const SHORT_NAMES: readonly string[] = Array.from(
  { length: 128 },
  (_, code) => `-${String.fromCharCode(code)}`,
);

function shortName(text: string, at: number): string {
  return SHORT_NAMES[text.charCodeAt(at)] ?? `-${text[at]}`;
}
