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
  readonly needs?: "git-trusted" | "cd-inside";
  /** Hosts named; undefined inside means that it is not literal. */
  readonly hosts?: readonly (string | undefined)[];
  /** Where a link may be afterwards; `"anywhere"` when that is not known. */
  readonly links?: readonly Decoded[] | "anywhere";
  /** Command lines that it runs; undefined where the text is not known. */
  readonly lines?: readonly (string | undefined)[];
  /** They are links only where one is among what is copied or moved. */
  readonly copiesLinks?: true;
}

export const NOTHING_KNOWN: Judgement = { readOnly: false, editLike: false, paths: [] };

/** A command line behind which a program puts words of its own. */
export function withMore(line: string | undefined): string | undefined {
  return line === undefined ? undefined : `${line} "$@"`;
}
