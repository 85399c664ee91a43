import { GRAMMARS, type GrammarEntry } from "./known/global-options.ts";
import { MAX_OPTION_PLACES } from "./limits.ts";
import { byName, namesOf } from "./table-text.ts";
import { type Decoded, known } from "./words/decoded.ts";

export interface Grammar {
  readonly valued: ReadonlySet<string>;
  readonly flags: ReadonlySet<string>;
  /** Options with a value, by the words that lead to where they stand. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
}

const compiled: Map<string, Grammar> = byName(GRAMMARS, compile);

function compile(entry: GrammarEntry): Grammar {
  const groups = new Map<string, ReadonlySet<string>>();
  for (const [paths, valued] of Object.entries(entry.groups ?? {})) {
    for (const path of paths.split("|")) groups.set(path, new Set(namesOf(valued)));
  }
  return { valued: new Set(namesOf(entry.valued)), flags: new Set(namesOf(entry.flags)), groups };
}

/** The programs that have sub-commands. */
export const SUB_COMMAND_PROGRAMS: ReadonlyMap<string, unknown> = compiled;

/** The options of a program that may stand before its sub-command. */
export function globalOptionsOf(program: string): Pick<Grammar, "valued" | "flags"> | undefined {
  return compiled.get(program);
}

const NONE: ReadonlySet<string> = new Set();

interface Place {
  readonly at: number;
  /** The names so far: `docker compose`. */
  readonly names: readonly Decoded[];
  /** The names with a blank between them. */
  readonly path: string;
  /** An option stood before or between them. */
  readonly skipped: boolean;
}

/**
 * The words from the sub-command on, without the options that stand before it and between its names: each way they
 * may be read. Not among them: the words as they are. Undefined: there are more ways than are looked at.
 */
export function subCommandTails(
  program: string,
  rest: readonly Decoded[],
): readonly (readonly Decoded[])[] | undefined {
  const grammar = compiled.get(program);
  const first = rest[0];
  if (grammar === undefined || first === undefined) return [];
  if (isPlainStart(grammar, first.value)) return [];
  if (last.rest !== rest || last.grammar !== grammar)
    last = { grammar, rest, tails: findTails(grammar, rest) };
  return last.tails;
}

/** The forms of a command and its judge ask for the same words. */
let last: {
  grammar?: Grammar;
  rest?: readonly Decoded[];
  tails?: readonly (readonly Decoded[])[] | undefined;
} = {};

function findTails(grammar: Grammar, rest: readonly Decoded[]): readonly (readonly Decoded[])[] | undefined {
  const tails: (readonly Decoded[])[] = [];
  const pending: Place[] = [{ at: 0, names: NO_NAMES, path: "", skipped: false }];
  let places = 0;
  // As long as each place leads to one other, none is met twice.
  let seen: Set<string> | undefined;
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { at, names, path, skipped } = place;
    if (seen?.has(`${at} ${path}`) === true) continue;
    if (places >= MAX_OPTION_PLACES) return undefined;
    places += 1;
    seen?.add(`${at} ${path}`);
    const word = rest[at];
    const text = word?.value;
    const valued = groupOf(grammar, names.length, path);
    const steps = text === undefined ? NO_STEPS : stepsOf(grammar, valued ?? NONE, text);
    if (steps.length > 1) seen ??= new Set();
    for (const step of steps) pending.push({ at: at + step, names, path, skipped: true });
    if (steps.length > 0 || word === undefined) continue;
    if (skipped) tails.push([...names, ...rest.slice(at)]);
    if (known(word) === undefined || grammar.groups.size === 0) continue;
    const longer = path === "" ? (text ?? "") : `${path} ${text}`;
    if (groupOf(grammar, names.length + 1, longer) !== undefined)
      pending.push({
        at: at + 1,
        names: [...names, word],
        path: names.length === 0 ? (text ?? "") : `${path} ${text}`,
        skipped,
      });
  }
  return tails;
}

/** Most lines start with a name that nothing stands behind. */
function isPlainStart(grammar: Grammar, text: string | undefined): boolean {
  if (text === undefined) return true;
  return stepsOf(grammar, NONE, text).length === 0 && groupOf(grammar, 1, text) === undefined;
}

function groupOf(grammar: Grammar, depth: number, path: string): ReadonlySet<string> | undefined {
  if (depth === 0 || grammar.groups.size === 0) return undefined;
  return grammar.groups.get(path) ?? grammar.groups.get("* ".repeat(depth).trimEnd());
}

const NO_NAMES: readonly Decoded[] = [];
const NO_STEPS: readonly number[] = [];
const ALONE: readonly number[] = [1];
const WITH_VALUE: readonly number[] = [2];
const EITHER: readonly number[] = [1, 2];

/** How many words an option takes up. None: it is no option. */
function stepsOf(grammar: Grammar, group: ReadonlySet<string>, text: string): readonly number[] {
  if (group.has(text)) return WITH_VALUE;
  if (grammar.valued.has(text)) return WITH_VALUE;
  if (grammar.flags.has(text)) return ALONE;
  if (!/^[-+]/.test(text) || text === "-") return NO_STEPS;
  // An attached value, the end of options, `cargo +nightly`.
  if (text.includes("=") || text === "--" || text.startsWith("+")) return ALONE;
  if (!/^-[A-Za-z]{2,}$/.test(text)) return EITHER;
  for (let letter = 1; letter < text.length; letter += 1) {
    const name = `-${text[letter]}`;
    if (grammar.valued.has(name) || group.has(name)) return letter === text.length - 1 ? WITH_VALUE : ALONE;
    if (!grammar.flags.has(name)) return EITHER;
  }
  return ALONE;
}
