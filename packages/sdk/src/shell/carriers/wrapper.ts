import type { WrapperEntry } from "../known/wrappers.ts";
import type { TouchedPath } from "../special/judgement.ts";
import { namesOf, pathOptions } from "../table-text.ts";
import { type Decoded, known, literal, startOf, unknown } from "../words/decoded.ts";
import { type Carrying, NO_CARRYING } from "./carrying.ts";
import { guesses } from "./guesses.ts";
import { readOption } from "./read-option.ts";

/** `env` and `sudo` take any word with an equals sign in it for one: `a+=1`, `a-b=1`. */
const ASSIGNS = /^[^-=][^=]*=/;

/** A program of the table of wrappers: its own options, then the command. */
export function carriedByWrapper(entry: WrapperEntry, words: readonly Decoded[]): Carrying {
  const lines: (string | undefined)[] = [];
  const assigns: Decoded[] = [];
  const lineOptions = namesOf(entry.lineOptions);
  const moves = namesOf(entry.moves);
  let moved = moves.includes("*");
  let sure = true;
  let dynamic = false;
  let transparent = entry.transparent === true;
  const paths = pathOptions(entry.paths);
  const touches: TouchedPath[] = [];
  const places: Decoded[] = [];
  const skipped = (word: Decoded | undefined): void => {
    if (entry.skips !== undefined && word !== undefined) touches.push({ access: entry.skips, word });
  };
  let skip = entry.skip ?? 0;
  let at = 0;
  let ended: number | undefined;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const text = known(word);
    if (text === undefined) {
      if (skip === 0) break;
      if (!word.single || /^(?:-|$)/.test(startOf(word))) dynamic = true;
      skipped(word);
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
      for (const each of words.slice(ended, ended + skip)) skipped(each);
      at += 1 + skip;
      break;
    }
    const read = text.startsWith("-") && text !== "-" ? readOption(entry, text) : undefined;
    if (read === undefined && entry.assigns === true && ASSIGNS.test(text)) {
      assigns.push(word);
      continue;
    }
    if (read === undefined) {
      if (text === "-") continue;
      if (skip === 0) break;
      skipped(word);
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
      if (isSplit(line)) return { commands: [], lines, assigns, touches, places, sure };
      continue;
    }
    const value = read.attached === undefined ? words[at + 1] : literal(text, read.attached);
    const access = paths.get(read.name);
    if (access !== undefined) {
      touches.push({ access, word: value ?? unknown(text) });
      transparent = false;
    }
    if (read.moved === true) moved = true;
    if (moves.includes(read.name)) {
      moved = true;
      if (value !== undefined && (read.takesNext || read.attached !== undefined)) places.push(value);
    }
    if (read.takesNext) {
      at += 1;
      if (words[at]?.single === false) dynamic = true;
    }
    if (!read.isKnown) {
      return { ...guesses(words, at + 1, moved), lines, assigns, touches, places, sure: false };
    }
  }
  while (entry.assigns === true && ASSIGNS.test(known(words[at]) ?? "")) {
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
  const more = { lines, assigns, touches, places, sure };
  if (rest.length === 0) return { commands: [], ...more, ...unclear };
  if (entry.joins === true) {
    const texts = rest.map((word) => known(word));
    lines.push(texts.some((text) => text === undefined) ? undefined : texts.join(" "));
    return { commands: [], ...more };
  }
  return { commands: [{ words: rest, transparent: transparent && sure, moved }], ...more, ...unclear };
}

/** `env -S`: escapes and variables in its text are its own, not the shell's. */
function isSplit(option: string): boolean {
  return option === "-S" || option === "--split-string";
}
