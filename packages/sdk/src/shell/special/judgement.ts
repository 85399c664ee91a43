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
  /** Of `git`: a `-c` key, or another global option, that can make it run a program. */
  readonly runs?: string | undefined;
  /** Of `find`: the commands that it runs. */
  readonly inner?: readonly FindCommand[] | undefined;
  /** Of `test`: a name given to `-v` that can hide a command in its subscript. */
  readonly evaluates?: boolean | undefined;
}

export interface FindCommand {
  readonly words: readonly Decoded[];
  readonly action: string;
}

const NO_PATHS: readonly TouchedPath[] = Object.freeze([]);

/**
 * What is told and nothing else. All fields, in one order: a judgement that has other fields than the one before is slow
 * to read, and one that is copied by a spread gets a hidden class of its own.
 */
export function judgementOf(told: Partial<Judgement>): Judgement {
  const { readOnly = false, editLike = false, paths = NO_PATHS, needs, hosts, links, lines } = told;
  const { copiesLinks, runs, inner, evaluates } = told;
  return { readOnly, editLike, paths, needs, hosts, links, lines, copiesLinks, runs, inner, evaluates };
}

export const NOTHING_KNOWN: Judgement = judgementOf({});

/** A command line behind which a program puts words of its own. */
export function withMore(line: string | undefined): string | undefined {
  return line === undefined ? undefined : `${line} "$@"`;
}
