import type { ShellAccess } from "../../protocol/index.ts";
import type { Decoded } from "../words/decoded.ts";

export interface TouchedPath {
  readonly access: ShellAccess;
  readonly word: Decoded;
  readonly recursive?: boolean;
  /** Relative to the root of the repository around the working directory. */
  readonly base?: "repository";
}

/** What the tables say about one sequence of words. */
export interface Judgement {
  readonly readOnly: boolean;
  readonly editLike: boolean;
  readonly paths: readonly TouchedPath[];
  readonly needs?: "git-trusted" | "cd-inside" | undefined;
  /** Hosts named; undefined inside means that it is not literal. */
  readonly hosts?: readonly (string | undefined)[] | undefined;
  /** Where a link may be afterwards; `"anywhere"` when that is not known. */
  readonly links?: readonly Decoded[] | "anywhere" | undefined;
  /** Command lines that it runs; undefined where the text is not known. */
  readonly lines?: readonly (string | undefined)[] | undefined;
  /** They are links only where one is among what is copied or moved. */
  readonly copiesLinks?: true | undefined;
}

/** With all fields, in one order: judgements that have other fields than the one before are slow to read. */
export const NOTHING_KNOWN: { readonly [K in keyof Required<Judgement>]: Judgement[K] } = {
  readOnly: false,
  editLike: false,
  paths: [],
  needs: undefined,
  hosts: undefined,
  links: undefined,
  lines: undefined,
  copiesLinks: undefined,
};

/** A command line behind which a program puts words of its own. */
export function withMore(line: string | undefined): string | undefined {
  return line === undefined ? undefined : `${line} "$@"`;
}
