import { type Decoded, known, literal, unknown } from "./decoded.ts";
import {
  WRAPPERS,
  type WrapperEntry,
  XARGS_FLAGS,
  XARGS_LONG,
  XARGS_LONG_VALUED,
  XARGS_VALUED,
} from "./known/wrappers.ts";

/** A command that another one carries. */
export interface Carried {
  readonly words: readonly Decoded[];
  /** An allow rule sees through the carrier. */
  readonly transparent: boolean;
  /** It may start in another directory. */
  readonly moved: boolean;
  /** Unknown words are added when it runs. */
  readonly fed?: true;
}

export interface Carrying {
  readonly commands: readonly Carried[];
  /** Whole lines handed to a shell; undefined where the text is not known. */
  readonly lines: readonly (string | undefined)[];
  /** Names that it sets for the inner command. */
  readonly assigns: readonly Decoded[];
  /** A word before the inner command may be several, so which command runs is not known. */
  readonly dynamic?: true;
  /** Files it reads. */
  readonly reads?: readonly Decoded[];
  /** The options and operands before the inner command are all understood. */
  readonly sure: boolean;
}

const NO_CARRYING: Carrying = { commands: [], lines: [], assigns: [], sure: true };
const MAX_GUESSES = 6;

/** The commands that a wrapper's words carry. `words` leaves the wrapper's own name out. */
export function carriedBy(name: string, words: readonly Decoded[]): Carrying | undefined {
  if (name === "xargs") return carriedByXargs(words);
  if (name === "parallel") return carriedByParallel(words);
  const entry = WRAPPERS.get(name);
  return entry === undefined ? undefined : carriedByWrapper(entry, words);
}

const splitNames = new Map<string, readonly string[]>();

/** The tables are written as blank-separated text; each is split once. */
function namesOf(text: string | undefined): readonly string[] {
  if (text === undefined || text === "") return [];
  let names = splitNames.get(text);
  if (names === undefined) {
    names = text.split(" ");
    splitNames.set(text, names);
  }
  return names;
}

function carriedByWrapper(entry: WrapperEntry, words: readonly Decoded[]): Carrying {
  const lines: (string | undefined)[] = [];
  const assigns: Decoded[] = [];
  const lineOptions = namesOf(entry.lineOptions);
  const moves = namesOf(entry.moves);
  let moved = moves.includes("*");
  let sure = true;
  let dynamic = false;
  let skip = entry.skip ?? 0;
  let at = 0;
  let ended: number | undefined;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const text = known(word);
    if (text === undefined) {
      if (skip === 0) break;
      if (!word.single || /^(?:-|$)/.test(word.pieces[0] ?? "")) dynamic = true;
      skip -= 1;
      continue;
    }
    if (
      namesOf(entry.inert).some(
        (flag) => text === flag || (/^-\w{2,}$/.test(text) && text.includes(flag.slice(1))),
      )
    )
      return NO_CARRYING;
    if (text === "--") {
      ended = at + 1;
      at += 1 + skip;
      break;
    }
    const read = text.startsWith("-") && text !== "-" ? readOption(entry, text) : undefined;
    if (read === undefined && entry.assigns === true && /^[A-Za-z_]\w*=/.test(text)) {
      assigns.push(word);
      continue;
    }
    if (read === undefined) {
      if (text === "-") continue;
      if (skip === 0) break;
      skip -= 1;
      continue;
    }
    const line = lineOptions.find((option) => option === read.name);
    if (line !== undefined) {
      const value = read.attached ?? known(words[at + 1]);
      if (read.attached === undefined) at += 1;
      // `env -S` puts what follows behind the text it splits.
      lines.push(
        value === undefined || (/[\\$]/.test(value) && isSplit(line))
          ? undefined
          : isSplit(line)
            ? [value, ...words.slice(at + 1).map((each) => each.raw)].join(" ")
            : value,
      );
      if (isSplit(line)) return { commands: [], lines, assigns, sure };
      continue;
    }
    if (moves.includes(read.name)) moved = true;
    if (read.takesNext) {
      at += 1;
      if (words[at]?.single === false) dynamic = true;
    }
    if (!read.isKnown) {
      return { commands: guesses(words, at + 1, moved), lines, assigns, sure: false };
    }
  }
  while (entry.assigns === true && /^[A-Za-z_]\w*=/.test(known(words[at]) ?? "")) {
    const word = words[at];
    if (word !== undefined) assigns.push(word);
    at += 1;
  }
  // A flag may also follow the operands, as in `flock file -c line`.
  // `su root -- -c line`: what follows goes to the shell.
  for (let later = Math.min(at, ended ?? at); later < words.length && lineOptions.length > 0; later += 1) {
    if (lineOptions.includes(known(words[later]) ?? "")) lines.push(known(words[later + 1]));
  }
  const rest = words.slice(at);
  if (dynamic) sure = false;
  const unclear = dynamic ? { dynamic: true as const } : {};
  if (rest.length === 0) return { commands: [], lines, assigns, sure, ...unclear };
  if (entry.joins === true) {
    const texts = rest.map((word) => known(word));
    lines.push(texts.some((text) => text === undefined) ? undefined : texts.join(" "));
    return { commands: [], lines, assigns, sure };
  }
  const transparent = entry.transparent === true && sure;
  return { commands: [{ words: rest, transparent, moved }], lines, assigns, sure, ...unclear };
}

/** `env -S`: escapes and variables in its text are its own, not the shell's. */
function isSplit(option: string): boolean {
  return option === "-S" || option === "--split-string";
}

interface ReadOption {
  readonly name: string;
  readonly attached: string | undefined;
  readonly takesNext: boolean;
  readonly isKnown: boolean;
}

function readOption(entry: WrapperEntry, text: string): ReadOption {
  const has = (names: string | undefined, name: string): boolean => namesOf(names).includes(name);
  const isLine = (name: string): boolean => has(entry.lineOptions, name);
  if (text.startsWith("--")) {
    const equals = text.indexOf("=");
    const name = fullName(entry, equals < 0 ? text : text.slice(0, equals));
    const attached = equals < 0 ? undefined : text.slice(equals + 1);
    const valued = has(entry.longValued, name.slice(2)) || isLine(name);
    const isKnown = valued || has(entry.long, name.slice(2));
    return { name, attached, takesNext: valued && attached === undefined && !isLine(name), isKnown };
  }
  if (entry.digits === true && /^-\d+$/.test(text))
    return { name: text, attached: undefined, takesNext: false, isKnown: true };
  for (let at = 1; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    const name = `-${letter}`;
    if (isLine(name) || (entry.valued ?? "").includes(letter)) {
      const attached = text.slice(at + 1);
      const isAttached = attached !== "";
      return {
        name,
        attached: isAttached ? attached : undefined,
        takesNext: !isAttached && !isLine(name),
        isKnown: true,
      };
    }
    if (!(entry.flags ?? "").includes(letter))
      return { name, attached: undefined, takesNext: false, isKnown: false };
    if (has(entry.moves, name)) return { name, attached: undefined, takesNext: false, isKnown: true };
  }
  return { name: text, attached: undefined, takesNext: false, isKnown: true };
}

/** The option that a shortened `--name` stands for, where it can be one with a command line or a value only. */
function fullName(entry: WrapperEntry, given: string): string {
  const taking = namesOf(entry.longValued).map((name) => `--${name}`);
  const all = [...namesOf(entry.lineOptions), ...taking, ...namesOf(entry.long).map((name) => `--${name}`)];
  if (all.includes(given)) return given;
  return all.find((name) => name.startsWith(given)) ?? given;
}

/** After an option that is not in the table, the command may start at any of the next words. */
function guesses(words: readonly Decoded[], from: number, moved: boolean): readonly Carried[] {
  const found: Carried[] = [];
  for (let at = from; at < words.length && found.length < MAX_GUESSES; at += 1) {
    if ((known(words[at]) ?? "").startsWith("-")) continue;
    found.push({ words: words.slice(at), transparent: false, moved });
  }
  return found;
}

function carriedByXargs(words: readonly Decoded[]): Carrying {
  let at = 0;
  let sure = true;
  let replaced: string | undefined;
  const reads: Decoded[] = [];
  let dynamic = false;
  for (; at < words.length; at += 1) {
    const text = known(words[at]);
    if (text === undefined) break;
    if (text === "--") {
      at += 1;
      break;
    }
    if (!text.startsWith("-") || text === "-") break;
    if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const name = equals < 0 ? text : text.slice(0, equals);
      if (name === "--replace") replaced = equals < 0 ? "{}" : text.slice(equals + 1);
      else if (name === "--arg-file") {
        if (equals < 0) at += 1;
        reads.push(equals < 0 ? (words[at] ?? unknown("")) : literal(text, text.slice(equals + 1)));
      } else if (XARGS_LONG_VALUED.has(name))
        at += equals < 0 && name !== "--eof" && name !== "--max-lines" ? 1 : 0;
      else if (!XARGS_LONG.has(name))
        return { commands: guesses(words, at + 1, false), lines: [], assigns: [], sure: false };
      continue;
    }
    for (let letter = 1; letter < text.length; letter += 1) {
      const c = text[letter] ?? "";
      if (XARGS_FLAGS.includes(c)) continue;
      if (!XARGS_VALUED.includes(c))
        return { commands: guesses(words, at + 1, false), lines: [], assigns: [], sure: false };
      const attached = text.slice(letter + 1);
      // `-e`, `-i` and `-l` take their value attached only.
      if (attached === "" && !"eil".includes(c) && words[at + 1]?.single === false) dynamic = true;
      const value = attached === "" && !"eil".includes(c) ? known(words[at + 1]) : attached;
      if (attached === "" && !"eil".includes(c)) at += 1;
      if (c === "I") {
        replaced = value ?? "";
        if (value === undefined) sure = false;
      }
      if (c === "a") reads.push(attached === "" ? (words[at] ?? unknown("")) : literal(text, attached));
      if (c === "i") replaced = attached === "" ? "{}" : attached;
      break;
    }
  }
  const rest = words.slice(at);
  if (rest.length === 0) return { ...NO_CARRYING, sure, reads };
  const given =
    replaced === undefined || replaced === ""
      ? [...rest, unknown("{}")]
      : rest.map((word) => replaceIn(word, replaced));
  return {
    commands: [{ words: given, transparent: sure && !dynamic, moved: false, fed: true }],
    lines: [],
    assigns: [],
    reads,
    sure: sure && !dynamic,
    ...(dynamic ? { dynamic: true as const } : {}),
  };
}

/** A word that holds the text which `xargs -I` or `find -exec` replaces is not known. */
export function replaceIn(word: Decoded, text: string): Decoded {
  if (text === "" || !(word.value ?? word.raw).includes(text)) return word;
  const pieces = (word.value ?? "").split(text);
  return { raw: word.raw, pieces: pieces.length > 1 ? pieces : ["", ""], glob: false, single: true };
}

function carriedByParallel(words: readonly Decoded[]): Carrying {
  const end = words.findIndex((word) => /^:::/.test(known(word) ?? ""));
  const own = end < 0 ? words : words.slice(0, end);
  const first = own.findIndex((word) => !(known(word) ?? "").startsWith("-"));
  const line = first < 0 ? undefined : own.slice(first).map((word) => known(word));
  const commands = guesses(
    own.map((word) => replaceIn(word, "{}")),
    0,
    true,
  ).map((each) => ({ ...each, words: [...each.words, unknown("{}")], fed: true as const }));
  const text = line === undefined || line.some((each) => each === undefined) ? undefined : line.join(" ");
  // Without a command of its own, its arguments are the command lines.
  const given = end < 0 ? [] : words.slice(end + 1).map((word) => known(word));
  return {
    commands,
    lines:
      first < 0 ? (given.length === 0 ? [undefined] : given) : [/[{}]/.test(text ?? "{}") ? undefined : text],
    assigns: [],
    reads: filesOfParallel(words),
    sure: false,
  };
}

/** `-a file` and `:::: file` hold its arguments. */
function filesOfParallel(words: readonly Decoded[]): readonly Decoded[] {
  const files = words.findIndex((word) => /^::::/.test(known(word) ?? ""));
  const named = words.filter((_, at) => /^(?:-a|--arg-file)$/.test(known(words[at - 1]) ?? ""));
  return files < 0 ? named : [...named, ...words.slice(files + 1)];
}
