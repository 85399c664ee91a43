import { judgeProgram } from "../judge-program.ts";
import type { SubCommandEntry } from "../known/sub-commands/entry.ts";
import { type GivenOption, mayBeFlag, readArguments } from "../options.ts";
import { compileProgram, type Program, type ProgramEntry } from "../program.ts";
import { globalOptionsOf, subCommandTails } from "../sub-command.ts";
import { type Decoded, known } from "../words/decoded.ts";
import { type Judgement, judgementOf, type TouchedPath } from "./judgement.ts";
import { shapedPaths } from "./shapes.ts";
import { allUnder } from "./under.ts";

interface Rows {
  readonly global: Program;
  readonly rows: ReadonlyMap<string, Program>;
  readonly other: Program | undefined;
  /** The longest name, in words. */
  readonly depth: number;
}

const compiled = new WeakMap<SubCommandEntry, Map<string, Rows>>();

/** `docker`, `kubectl` and the like: the row of the sub-command, however its name may be read. */
export function judgeSubCommands(name: string, entry: SubCommandEntry, words: readonly Decoded[]): Judgement {
  const rows = rowsOf(name, entry);
  const globals = readArguments(rows.global, words).options;
  const paths: TouchedPath[] = [];
  for (const { name: option, value } of globals) {
    const access = rows.global.paths.get(option);
    if (access !== undefined && value !== undefined) paths.push({ access, word: value });
  }
  const tails = subCommandTails(name, words) ?? [];
  const first = words[0];
  const read = first !== undefined && !mayBeFlag(first) ? [words, ...tails] : tails;
  let readOnly = read.length === 1 && paths.length === 0;
  const lines: (string | undefined)[] = [];
  let links = false;
  for (const tail of read) {
    const found = rowFor(rows, tail);
    if (found === undefined) {
      readOnly = false;
      continue;
    }
    const judged = judgeProgram(name, found.program, found.words);
    readOnly &&= judged.readOnly;
    paths.push(...judged.paths);
    lines.push(...(judged.lines ?? []));
    if (judged.links === "anywhere") links = true;
  }
  if (name === "aws") for (const word of words) paths.push(...shapedPaths("url", word));
  return judgementOf({
    readOnly,
    paths: placed(entry, globals, paths),
    links: links ? "anywhere" : undefined,
    lines,
  });
}

/** Its paths start where the option says. */
function placed(
  entry: SubCommandEntry,
  globals: readonly GivenOption[],
  paths: readonly TouchedPath[],
): readonly TouchedPath[] {
  const folder = globals.find((option) => option.name === entry.moves)?.value;
  if (folder === undefined) return paths;
  return [{ access: "list", word: folder }, ...allUnder(folder, paths)];
}

function rowFor(
  { rows, other, depth }: Rows,
  tail: readonly Decoded[],
): { readonly program: Program; readonly words: readonly Decoded[] } | undefined {
  for (let length = Math.min(depth, tail.length); length > 0; length -= 1) {
    const names = tail.slice(0, length).map(known);
    if (names.includes(undefined)) continue;
    const program = rows.get(names.join(" "));
    if (program !== undefined) return { program, words: tail.slice(length) };
  }
  return other === undefined ? undefined : { program: other, words: tail.slice(1) };
}

function rowsOf(name: string, entry: SubCommandEntry): Rows {
  const byName = compiled.get(entry) ?? new Map<string, Rows>();
  compiled.set(entry, byName);
  const ready = byName.get(name);
  if (ready !== undefined) return ready;
  const rows = new Map<string, Program>();
  let depth = 1;
  for (const [names, row] of Object.entries(entry.rows)) {
    const program = withGlobals(name, entry, row);
    for (const each of names.split("|")) {
      rows.set(each, program);
      depth = Math.max(depth, each.split(" ").length);
    }
  }
  const made: Rows = {
    global: withGlobals(name, entry, {
      operands: "text",
      ...(entry.paths === undefined ? {} : { paths: entry.paths }),
    }),
    rows,
    other: entry.other === undefined ? undefined : withGlobals(name, entry, entry.other),
    depth,
  };
  byName.set(name, made);
  return made;
}

/** Global options may stand behind the sub-command as well, where it has no option of that name. */
function withGlobals(name: string, { dash, moves }: SubCommandEntry, row: ProgramEntry): Program {
  const program = compileProgram(dash === undefined ? row : { dash, ...row });
  const global = globalOptionsOf(name);
  const own = (option: string): boolean => !program.flags.has(option) && !program.valued.has(option);
  const valued = [...(global?.valued ?? [])].filter(own);
  const moving = moves !== undefined && own(moves) ? [moves] : [];
  return {
    ...program,
    flags: new Set([...program.flags, ...[...(global?.flags ?? [])].filter(own)]),
    valued: new Set([...program.valued, ...valued, ...moving]),
    // What a global option does to a read-only row is not looked at.
    unlisted: new Set([...program.unlisted, ...valued]),
  };
}
