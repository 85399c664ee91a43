import { isFreeDevice, type ShellAccess, type ShellPath } from "../protocol/index.ts";
import { DIRECTORY_MARK, HOME_MARK, hasMark } from "./characters.ts";
import { MAX_DIRECTORIES, MAX_PATHS } from "./limits.ts";
import { type Writable, withLinks } from "./links.ts";
import { placesOf } from "./places.ts";
import type { State } from "./state.ts";
import type { PathWord, Walk } from "./walk-types.ts";
import type { Decoded } from "./words/decoded.ts";

export interface PathUse {
  readonly access: ShellAccess;
  readonly by: ShellPath["by"];
  readonly command: number;
  readonly recursive?: boolean;
  readonly base?: "repository";
}

/**
 * How a decoded word becomes `ShellPath.path`. The encoding: a path that is `~` or starts with `~/`
 * means the home; a file that is really called `~` is written `./~`. `$PWD` becomes `.`.
 */
export function pathText(value: string): string | undefined {
  if (value.startsWith(HOME_MARK)) {
    const rest = value.slice(1);
    return (rest === "" || rest.startsWith("/")) && !hasMark(rest) ? `~${rest}` : undefined;
  }
  if (value.startsWith(DIRECTORY_MARK)) {
    const rest = value.slice(1);
    return (rest === "" || rest.startsWith("/")) && !hasMark(rest) ? `.${rest}` : undefined;
  }
  if (hasMark(value)) return undefined;
  return value.startsWith("~") ? `./${value}` : value;
}

/** The same of a word: most are plain. */
function textOf(word: Decoded): string | undefined {
  if (word.plain || word.value === undefined) return word.value;
  return pathText(word.value);
}

export function addPath(walk: Walk, state: State, word: Decoded, use: PathUse): void {
  if (!word.glob && (word.value === "" || isFreeDevice(word.value ?? ""))) return;
  // A process substitution is a descriptor, not a file.
  const reads = use.access !== "write" && use.access !== "remove";
  const substituted = word.value === undefined && word.pieces.length === 2;
  if (substituted && (use.by !== "operand" || reads) && /^[<>]\(/.test(word.raw)) return;
  if (walk.paths.length >= MAX_PATHS) {
    walk.block("too-many-paths", word.raw);
    return;
  }
  const text = textOf(word);
  const added: Writable<ShellPath> = {
    access: use.access,
    path: text ?? word.raw,
    command: use.command,
    by: use.by,
  };
  if (text === undefined) added.unknown = true;
  else if (word.glob) added.glob = true;
  if (state.from !== undefined) added.from = state.from;
  if (use.recursive === true) added.recursive = true;
  if (use.base !== undefined) added.base = use.base;
  const called: PathWord =
    text === undefined ? { raw: word.raw, glob: word.glob } : { raw: word.raw, glob: word.glob, text };
  walk.pathWords.push(called);
  walk.paths.push(withLinks(added, called, walk));
}

/** The directories after `cd operand` from each of `from`. Undefined: not known. */
export function moved(from: readonly string[] | undefined, operand: Decoded): readonly string[] | undefined {
  const path = operand.glob ? undefined : textOf(operand);
  if (path === undefined || path === "" || path === "-") return undefined;
  const places = placesOf(path, from);
  if (places === undefined) return undefined;
  const next = [...new Set(places)];
  return next.length > MAX_DIRECTORIES ? undefined : next;
}

/** Notes a directory that the line may go to. Past a number of them more are noted than are looked at, so that it shows. */
export function visitDirectory(walk: Walk, state: State, word: Decoded): void {
  const text = word.glob ? undefined : textOf(word);
  if (text === undefined || walk.visited.size > MAX_DIRECTORIES) return;
  const visited = new Set(walk.visited);
  for (const place of placesOf(text, state.from ?? [""])) visited.add(place);
  walk.visited = visited;
}

/** Where a line starts, and stays when it goes nowhere. */
export const START_ONLY: ReadonlySet<string> = new Set([""]);
