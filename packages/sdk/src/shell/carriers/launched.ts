import { LAUNCHERS, type LauncherEntry } from "../known/launchers.ts";
import type { TouchedPath } from "../special/judgement.ts";
import { namesOf } from "../table-text.ts";
import { type Decoded, known, literal, startOf } from "../words/decoded.ts";
import { type Carrying, NO_CARRYING } from "./carrying.ts";
import { launchedByFd } from "./fd.ts";
import { guesses } from "./guesses.ts";
import { carriedByWrapper } from "./wrapper.ts";

/** What a launcher starts. */
export interface Launched extends Carrying {
  /** It runs something that is not read here. */
  readonly opaque?: true;
  /** It may read its program from its input. */
  readonly fed?: true;
}

/** The programs that are launchers. */
export const STARTERS: readonly string[] = [...LAUNCHERS.keys(), "fd", "fdfind"];

/** The commands that a launcher's words name, by each of its kinds of sub-commands. */
export function launchedBy(name: string, words: readonly Decoded[]): readonly Launched[] {
  if (name === "fd" || name === "fdfind") return launchedByFd(words);
  const entries = LAUNCHERS.get(name);
  if (entries === undefined || words.length === 0) return NONE;
  const found: Launched[] = [];
  for (const entry of entries) {
    if (entry.verbs === undefined) found.push(behind(entry, words));
    else found.push(...behindVerbs(entry, words));
  }
  return found;
}

const NONE: readonly Launched[] = [];
const OPAQUE: Launched = { ...NO_CARRYING, opaque: true, sure: false };

/** An option before the sub-command may have a value, which may be spelt like a sub-command. */
function behindVerbs(entry: LauncherEntry, words: readonly Decoded[]): readonly Launched[] {
  const verbs = namesOf(entry.verbs);
  const leads = namesOf(entry.leads);
  const hidden = namesOf(entry.opaque);
  const found: Launched[] = [];
  let mayBeValue = false;
  for (let at = 0; at < words.length; at += 1) {
    const text = known(words[at]);
    if (text === undefined) {
      // Its start may show that it is none of them.
      const word = words[at];
      const start = word === undefined ? "" : startOf(word);
      if (!mayBeValue && !start.startsWith("-") && !verbs.some((verb) => verb.startsWith(start))) break;
      found.push({ ...NO_CARRYING, ...guesses(words, at + 1, true), sure: false });
      break;
    }
    if (text.startsWith("-") || leads.includes(text)) {
      if (hidden.includes(text)) return [OPAQUE];
      mayBeValue = !text.includes("=");
      continue;
    }
    const is = (name: string): boolean => name === text || (entry.shortens === true && name.startsWith(text));
    if (hidden.some(is)) return [OPAQUE];
    if (verbs.some(is)) found.push(behind(entry, words.slice(at + 1)));
    if (!mayBeValue) break;
    mayBeValue = false;
  }
  return found;
}

function behind(entry: LauncherEntry, words: readonly Decoded[]): Launched {
  const hidden = namesOf(entry.opaque);
  if (hidden.includes("*")) return OPAQUE;
  if (hidden.length > 0 && words.some((word) => isHidden(hidden, known(word)))) return OPAQUE;
  if (entry.after !== undefined) return behindMark(entry, words);
  const carrying = carriedByWrapper(entry, words);
  if (entry.packages !== true && entry.script === undefined) return carrying;
  const touches: TouchedPath[] = [...(carrying.touches ?? [])];
  const fed =
    entry.script !== undefined && words.some((word) => known(word) === "-") ? { fed: true as const } : {};
  const commands = carrying.commands.map((each) => {
    const [first, ...rest] = each.words;
    const text = known(first);
    if (first === undefined || text === undefined) return each;
    if (entry.script !== undefined && text.endsWith(entry.script))
      touches.push({ access: "read", word: first });
    const name = entry.packages === true ? text.replace(/(?<=.)@[^/]*$/s, "") : text;
    return name === text ? each : { ...each, words: [literal(first.raw, name), ...rest] };
  });
  return { ...carrying, commands, touches, ...fed };
}

/** Ends with `;` as well: a command of `tmux` follows. */
function isHidden(hidden: readonly string[], text: string | undefined): boolean {
  return text !== undefined && (hidden.includes(text) || (hidden.includes(";") && text.endsWith(";")));
}

/** Behind its mark the command stands alone; without one it may start anywhere. */
function behindMark(entry: LauncherEntry, words: readonly Decoded[]): Launched {
  const marks = namesOf(entry.after);
  const at = words.findIndex((word) => marks.includes(known(word) ?? ""));
  const options = namesOf(entry.lineOptions);
  const lines: (string | undefined)[] = [];
  words.forEach((word, index) => {
    const text = known(word) ?? "";
    const equals = text.indexOf("=");
    if (options.includes(text)) lines.push(known(words[index + 1]));
    else if (equals > 0 && options.includes(text.slice(0, equals))) lines.push(text.slice(equals + 1));
  });
  const rest = words.slice(at + 1);
  const commands =
    at < 0
      ? guesses(words, 0, false)
      : { commands: rest.length === 0 ? [] : [{ words: rest, transparent: false, moved: false }] };
  return { ...NO_CARRYING, ...commands, lines, sure: false };
}
