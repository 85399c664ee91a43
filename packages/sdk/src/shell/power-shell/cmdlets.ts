import { byName, namesOf } from "../table-text.ts";

/** What an argument of a cmdlet is. */
export type ArgumentRole = "read" | "list" | "text";

export interface Cmdlet {
  /** What the words without a name are, in order. More of them: it is not known. */
  readonly positions: readonly ArgumentRole[];
  /** Parameters with a value, in small letters. */
  readonly named: ReadonlyMap<string, ArgumentRole>;
  readonly switches: ReadonlySet<string>;
  /** The switch with which it goes through a whole tree. */
  readonly recursive?: string;
  /** Without a path it looks at the working directory. */
  readonly implicit?: true;
  /** Without a path it waits for input. */
  readonly needsPath?: true;
  /** It works on what another cmdlet gives, and on nothing else. */
  readonly piped?: true;
}

interface Row extends Omit<Cmdlet, "positions" | "named" | "switches"> {
  readonly positions?: string;
  readonly read?: string;
  readonly list?: string;
  readonly text?: string;
  readonly switches?: string;
}

const PATH = "path literalpath";

// Not here: whatever follows a file, opens a stream of one, asks for another credential, or runs a block.
const ROWS: Readonly<Record<string, Row>> = {
  "get-location": {},
  "get-date get-host get-uptime get-culture": {},
  "get-childitem": {
    positions: "list text",
    list: PATH,
    text: "filter depth",
    switches: "recurse force name file directory hidden readonly",
    recursive: "recurse",
    implicit: true,
  },
  "get-content": {
    positions: "read",
    read: PATH,
    text: "totalcount tail encoding delimiter readcount",
    switches: "raw",
    needsPath: true,
  },
  "get-item": { positions: "list", list: PATH, switches: "force", needsPath: true },
  "test-path": { positions: "list", list: PATH, text: "pathtype", switches: "isvalid", needsPath: true },
  "resolve-path": { positions: "list", list: PATH, switches: "relative", needsPath: true },
  "select-string": {
    positions: "text read",
    read: PATH,
    text: "pattern context encoding",
    switches: "casesensitive simplematch list quiet allmatches notmatch raw noemphasis",
    needsPath: true,
  },
  "get-filehash": { positions: "read", read: PATH, text: "algorithm", needsPath: true },
  "write-output": { positions: "text", text: "inputobject" },
  "select-object": {
    positions: "text",
    text: "property first last skip skiplast index",
    switches: "unique",
    piped: true,
  },
  "sort-object": {
    positions: "text",
    text: "property top bottom",
    switches: "descending unique casesensitive",
    piped: true,
  },
  "measure-object": {
    text: "property",
    switches: "line word character sum average maximum minimum",
    piped: true,
  },
  "format-table format-list": { positions: "text", text: "property", switches: "autosize wrap", piped: true },
  "out-string": { text: "width", switches: "stream nonewline", piped: true },
};

function compile({ positions, read, list, text, switches, ...rest }: Row): Cmdlet {
  const of = (names: string | undefined, role: ArgumentRole) =>
    namesOf(names).map((name): [string, ArgumentRole] => [name, role]);
  return {
    ...rest,
    positions: namesOf(positions) as readonly ArgumentRole[],
    named: new Map([...of(read, "read"), ...of(list, "list"), ...of(text, "text")]),
    switches: new Set(namesOf(switches)),
  };
}

/** Cmdlets that only read, by their name in small letters. */
export const CMDLETS: ReadonlyMap<string, Cmdlet> = byName(ROWS, compile);
