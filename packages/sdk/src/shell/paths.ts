import { isFreeDevice, type ShellAccess, type ShellPath } from "../protocol/index.ts";
import { MAX_DIRECTORIES, MAX_PATHS } from "./limits.ts";
import { type Writable, withLinks } from "./links.ts";
import { textOf } from "./path-text.ts";
import { placesOf } from "./places.ts";
import type { State } from "./state.ts";
import type { Walk } from "./walk-types.ts";
import type { Decoded } from "./words/decoded.ts";

export interface PathUse {
  readonly access: ShellAccess;
  readonly by: ShellPath["by"];
  readonly command: number;
  readonly recursive?: boolean | undefined;
  readonly base?: "repository" | undefined;
}

export function addPath(walk: Walk, state: State, word: Decoded, use: PathUse): void {
  if (!word.glob && (word.value === "" || isFreeDevice(word.value ?? ""))) return;
  // A process substitution is a descriptor, not a file.
  const reads = use.access !== "write" && use.access !== "remove";
  const substituted = word.value === undefined && word.pieces?.length === 2;
  if (substituted && (use.by !== "operand" || reads) && /^[<>]\(/.test(word.raw)) return;
  if (walk.paths.length >= MAX_PATHS) {
    walk.block("too-many-paths", word.raw);
    return;
  }
  const text = textOf(word);
  walk.pathWords.push(word);
  walk.paths.push(withLinks(touched(text, word, use, state.from), word, walk));
}

function touched(
  text: string | undefined,
  word: Decoded,
  { access, command, by, recursive, base }: PathUse,
  from: State["from"],
): ShellPath {
  if (text !== undefined && from !== undefined && !word.glob && recursive !== true && base === undefined) {
    // Most paths. Fields that are added later take a place of their own.
    return { access, path: text, command, by, from };
  }
  const added: Writable<ShellPath> = { access, path: text ?? word.raw, command, by };
  if (text === undefined) added.unknown = true;
  else if (word.glob) added.glob = true;
  if (from !== undefined) added.from = from;
  if (recursive === true) added.recursive = true;
  if (base !== undefined) added.base = base;
  return added;
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
