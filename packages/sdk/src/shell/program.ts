import type { ShellAccess } from "../protocol/index.ts";
import { byName, namesOf, pathOptions, shapedOptions } from "./table-text.ts";

/** What the operands of a program are. */
export type OperandRole = ShellAccess | "text" | "none";

/** A known program as data: which flags it takes, what its operands are, and what it may be trusted with. */
export interface ProgramEntry {
  /** Short flags without a value, as letters. */
  readonly flags?: string;
  /** Short flags with a value, as letters. */
  readonly valued?: string;
  /** Long flags without a value, or with an optional `=value`, blank-separated, without dashes. */
  readonly long?: string;
  /** Long flags with a value. */
  readonly longValued?: string;
  /** `-5` is a flag. */
  readonly digits?: true;
  readonly operands: OperandRole;
  /** The first operand is something else (a pattern), unless one of `firstUnless` is given. */
  readonly first?: OperandRole;
  readonly firstUnless?: string;
  /** The last of two or more operands is something else (the target of `cp`). */
  readonly last?: OperandRole;
  /** Flags end at the first operand. */
  readonly flagsFirst?: true;
  /** With more operands it is not read-only. */
  readonly max?: number;
  /** Options whose value is a path, as `-f:read --file:read`. */
  readonly paths?: string;
  /** Options whose value holds a path among other things, as `-v:volume`: see `special/shapes.ts`. */
  readonly shapes?: string;
  /** Options that take two words, with what the second is: `--slurpfile:read --arg:text`. */
  readonly two?: string;
  /** Options whose value is a command line that it runs; with `+` words of its own are put behind it. */
  readonly runs?: string;
  /** Long options have one dash, and short ones are never put together (`gcc`, `openssl`, `go`). */
  readonly dash?: "single";
  /** Operands that are elsewhere: `host:path`, `namespace/pod:path`, `s3://bucket/key`. */
  readonly remote?: "host" | "pod" | "s3";
  /** Flags with which what it reads is removed afterwards. */
  readonly removesWith?: string;
  /** Flags with which what it would read is written. */
  readonly writesWith?: string;
  /** A file that it always writes; `~/` is the home. */
  readonly writes?: string;
  /** It unpacks anything below where it stands, unless one of `listsWith` is given. */
  readonly unpacks?: true;
  readonly listsWith?: string;
  /** Read-only with this flag alone. */
  readonly requires?: string;
  /** Flags, with dashes, that make it go through whole trees; `*` = always. */
  readonly recursive?: string;
  /** Without an operand it works on the working directory with this access. */
  readonly implicit?: ShellAccess;
  /** With these flags only, it changes nothing. */
  readonly readOnly?: true;
  /** With these flags only, acceptEdits covers it. */
  readonly edit?: true;
  /** No flag it has can do harm, so that a file name taken for a flag cannot either. */
  readonly harmlessFlags?: true;
  /** It may leave a link where its last operand is, or anywhere. */
  readonly links?: "last" | "anywhere";
}

/** A row with all its fields: rows that have other fields than the one before are slow to read. */
type Row = { readonly [K in keyof Required<ProgramEntry>]: ProgramEntry[K] };

const EMPTY_ROW: Row = {
  flags: undefined,
  valued: undefined,
  long: undefined,
  longValued: undefined,
  digits: undefined,
  operands: "none",
  first: undefined,
  firstUnless: undefined,
  last: undefined,
  flagsFirst: undefined,
  max: undefined,
  paths: undefined,
  shapes: undefined,
  two: undefined,
  runs: undefined,
  dash: undefined,
  remote: undefined,
  removesWith: undefined,
  writesWith: undefined,
  writes: undefined,
  unpacks: undefined,
  listsWith: undefined,
  requires: undefined,
  recursive: undefined,
  implicit: undefined,
  readOnly: undefined,
  edit: undefined,
  harmlessFlags: undefined,
  links: undefined,
};

export interface Program {
  readonly flags: ReadonlySet<string>;
  readonly valued: ReadonlySet<string>;
  /** Those of `valued` that only `paths` names: never read-only. */
  readonly unlisted: ReadonlySet<string>;
  readonly entry: Row;
  readonly paths: ReadonlyMap<string, ShellAccess>;
  readonly shapes: ReadonlyMap<string, string>;
  readonly two: ReadonlyMap<string, string>;
  /** Options with a command line, and whether words are put behind it. */
  readonly runs: ReadonlyMap<string, boolean>;
  readonly writesWith: ReadonlySet<string>;
  readonly listsWith: ReadonlySet<string>;
  readonly removesWith: ReadonlySet<string>;
  readonly recursive: ReadonlySet<string>;
  readonly firstUnless: ReadonlySet<string>;
}

export function compileProgram(entry: ProgramEntry): Program {
  const letters = (text: string | undefined): string[] => [...(text ?? "")].map((letter) => `-${letter}`);
  const dashes = entry.dash === "single" ? "-" : "--";
  const names = (text: string | undefined): string[] => namesOf(text).map((name) => `${dashes}${name}`);
  const paths = pathOptions(entry.paths);
  const flags = new Set([...letters(entry.flags), ...names(entry.long)]);
  const listed = new Set([...letters(entry.valued), ...names(entry.longValued)]);
  const shapes = shapedOptions(entry.shapes);
  const runs = new Map(
    namesOf(entry.runs).map((name): [string, boolean] => [name.replace(/\+$/, ""), name.endsWith("+")]),
  );
  // An option whose value is a path takes a value, also where nothing says that it is harmless.
  const unlisted = new Set(
    [...paths.keys(), ...shapes.keys(), ...runs.keys()].filter(
      (name) => !flags.has(name) && !listed.has(name),
    ),
  );
  return {
    flags,
    valued: new Set([...listed, ...unlisted]),
    unlisted,
    entry: { ...EMPTY_ROW, ...entry },
    paths,
    shapes,
    two: shapedOptions(entry.two),
    runs,
    writesWith: new Set(namesOf(entry.writesWith)),
    listsWith: new Set(namesOf(entry.listsWith)),
    removesWith: new Set(namesOf(entry.removesWith)),
    recursive: new Set(namesOf(entry.recursive)),
    firstUnless: new Set(namesOf(entry.firstUnless)),
  };
}

export function compilePrograms(table: Readonly<Record<string, ProgramEntry>>): Map<string, Program> {
  return byName(table, compileProgram);
}
