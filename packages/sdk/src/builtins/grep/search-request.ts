import type { BuiltinContext, JsonObject } from "../../protocol/index.ts";
import { need } from "../deps.ts";
import type { JudgedPath } from "../files/judged-path.ts";
import { isVersionControl } from "../search/list-tree.ts";
import { matchNames, splitPatterns } from "../search/match-glob.ts";
import { mayShowBelow } from "../search/may-show.ts";
import type { HitFormat } from "./format-hits.ts";
import { MOST_ENTRIES } from "./grep-schema.ts";
import type { GrepMode, SearchRequest } from "./search-types.ts";

/** How the hits are to be shown. `folder` is the directory below which their paths lie. */
export function formatOf(input: JsonObject, folder: string, cwd: string): HitFormat {
  const onlyMatching = input["-o"] === true;
  const { before, after } = contextOf(input);
  return {
    mode: (input.output_mode ?? "files_with_matches") as GrepMode,
    folder,
    cwd,
    numbers: input["-n"] !== false,
    onlyMatching,
    hasContext: before + after > 0,
  };
}

/** Lines around a match are not shown where only its parts are. */
function contextOf(input: JsonObject): { before: number; after: number } {
  if (input["-o"] === true) return { before: 0, after: 0 };
  const around = numberOr(input["-C"] ?? input.context, 0);
  return { before: numberOr(input["-B"], around), after: numberOr(input["-A"], around) };
}

/** A validated input as what the engines search for. */
export function requestOf(
  input: JsonObject,
  root: JudgedPath,
  isFile: boolean,
  heedsAbove: boolean,
  context: BuiltinContext,
  take: SearchRequest["take"],
): SearchRequest {
  const mayRead = need(context.services, "mayRead");
  // A file that was named itself was judged itself.
  const mayShow = isFile ? () => true : mayShowBelow(root, mayRead);
  const patterns = isFile || typeof input.glob !== "string" ? [] : splitPatterns(input.glob);
  const inGlob = globTest(patterns, root, context.cwd);
  const [only] = patterns;
  return {
    root,
    isFile,
    heedsAbove,
    mayRead,
    pattern: String(input.pattern),
    mode: (input.output_mode ?? "files_with_matches") as GrepMode,
    ignoreCase: input["-i"] === true,
    multiline: input.multiline === true,
    ...contextOf(input),
    ...(typeof input.type === "string" ? { type: input.type } : {}),
    ...(patterns.length === 1 && only !== undefined && isPlainNameGlob(only) ? { nameGlob: only } : {}),
    mostLines: numberOr(input.offset, 0) + limitOf(input),
    signal: context.signal,
    accepts: (relativePath) =>
      (isFile || !isVersionControl(relativePath)) && inGlob(relativePath) && mayShow(relativePath),
    take,
  };
}

/** A path counts when some pattern (if there is one without `!`) and no pattern with `!` matches it, from root or cwd. */
function globTest(patterns: readonly string[], root: JudgedPath, cwd: string): (path: string) => boolean {
  const below = root.given.startsWith(`${cwd}/`) ? `${root.given.slice(cwd.length + 1)}/` : undefined;
  const test = (pattern: string): ((path: string) => boolean) => {
    const matches = matchNames(pattern);
    return (path) => matches(path) || (below !== undefined && matches(below + path));
  };
  const wanted = patterns.filter((each) => !each.startsWith("!")).map(test);
  const unwanted = patterns.filter((each) => each.startsWith("!")).map((each) => test(each.slice(1)));
  return (path) =>
    (wanted.length === 0 || wanted.some((matches) => matches(path))) &&
    !unwanted.some((matches) => matches(path));
}

/** Only what every glob dialect reads in the same way. */
const isPlainNameGlob = (pattern: string): boolean =>
  !pattern.includes("**") && (/^[\w.*-]+$/.test(pattern) || /^[\w.*-]*\{[\w.,*-]+\}[\w.*-]*$/.test(pattern));

/** A number of the input, or what stands for a missing one. */
export const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === "number" ? value : otherwise;

/** Entries that are shown unless the call says otherwise. */
const SHOWN = 250;

/** How many entries a call wants. */
export function limitOf(input: JsonObject): number {
  const limit = numberOr(input.head_limit, SHOWN);
  return limit === 0 ? MOST_ENTRIES : limit;
}
