import type { ShellAccess, ShellPath } from "../protocol/index.ts";
import { DIRECTORY_MARK, HOME_MARK, hasMark } from "./characters.ts";
import type { Decoded } from "./decoded.ts";
import { MAX_DIRECTORIES, MAX_PATHS } from "./limits.ts";
import type { State } from "./state.ts";
import type { Walk } from "./walk-types.ts";

const FREE = /^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+)$/;

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

export function isFreeDevice(value: string | undefined): boolean {
  return value !== undefined && FREE.test(value);
}

export function addPath(walk: Walk, state: State, word: Decoded, use: PathUse): void {
  if (!word.glob && (word.value === "" || isFreeDevice(word.value))) return;
  // A process substitution is a descriptor, not a file.
  const reads = use.access !== "write" && use.access !== "remove";
  const substituted = word.value === undefined && word.pieces.length === 2;
  if (substituted && (use.by !== "operand" || reads) && /^[<>]\(/.test(word.raw)) return;
  if (walk.paths.length >= MAX_PATHS) {
    walk.block("too-many-paths", word.raw);
    return;
  }
  const path = word.value === undefined ? undefined : pathText(word.value);
  const isUnknown = path === undefined || mayBeLink(path, walk);
  const added: Writable<ShellPath> = {
    access: use.access,
    path: isUnknown ? word.raw : path,
    command: use.command,
    by: use.by,
  };
  if (isUnknown) added.unknown = true;
  else if (word.glob) added.glob = true;
  if (state.from !== undefined) added.from = state.from;
  if (use.recursive === true) added.recursive = true;
  if (use.base !== undefined) added.base = use.base;
  walk.paths.push(added);
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** An earlier command of the line may have put a link there, so what was judged is not what is opened. */
function mayBeLink(path: string, walk: Walk): boolean {
  for (const link of walk.links) {
    if (link.path === undefined) return true;
    if (overlaps(link.path, path)) return true;
  }
  return false;
}

function overlaps(link: string, path: string): boolean {
  if (/(?:^|\/)\.\.(?:\/|$)/.test(path) || /(?:^|\/)\.\.(?:\/|$)/.test(link)) return true;
  if (/^[/~]/.test(link) !== /^[/~]/.test(path)) return true;
  const a = tidy(link);
  const b = tidy(path);
  return a === "" || a === b || b.startsWith(`${a}/`);
}

function tidy(path: string): string {
  return path
    .toLowerCase()
    .replace(/\/+(?:\.\/+)*/g, "/")
    .replace(/^(?:\.\/)+|^\.$/, "")
    .replace(/\/\.?$/, "");
}

/** The directories after `cd operand` from each of `from`. Undefined: not known. */
export function moved(from: readonly string[] | undefined, operand: Decoded): readonly string[] | undefined {
  const path = operand.glob || operand.value === undefined ? undefined : pathText(operand.value);
  if (path === undefined || path === "" || path === "-") return undefined;
  if (path.startsWith("/") || path === "~" || path.startsWith("~/")) return [path];
  if (from === undefined) return undefined;
  const next = [...new Set(from.map((base) => (base === "" ? path : `${base}/${path}`)))];
  return next.length > MAX_DIRECTORIES ? undefined : next;
}
