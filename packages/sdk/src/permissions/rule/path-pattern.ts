import type { PermissionContext, RuleSource } from "../../protocol/index.ts";
import { anchorOf } from "./anchor.ts";
import { foldPath, unifyPath } from "./fold.ts";
import { DEEP, parseSegment, type Segment } from "./segment.ts";

/** A path rule, ready to be compared: one list of components for each directory it may start at. */
export interface PathPattern {
  /** From the root of the disk down. A `deep` at the end means that what lies below is covered too. */
  readonly lists: readonly (readonly Segment[])[];
  /** `x/` of an allow rule: the thing itself counts only as a directory. */
  readonly directoryOnly: boolean;
  /** Written as a directory (`x/`, `x/**`): what it names holds things rather than being one. */
  readonly container: boolean;
  /** The components as written, wildcards included, without the anchor: for safety checks. */
  readonly written: readonly Segment[];
  /** Letter case is ignored: both sides are folded before they are compared. */
  readonly folded: boolean;
}

interface PathPatternOptions {
  readonly source: RuleSource;
  /** What a single leading `/` means, where it is not the root of the source. */
  readonly slashRoot?: string | undefined;
  /** True for deny and ask: wider anchors, no letter case, `x/*` reaches below. */
  readonly binds: boolean;
  readonly context: PermissionContext;
}

/** Reads a gitignore-style pattern. Undefined: it starts with `!` and names nothing. */
export function parsePathPattern(
  pattern: string,
  options: PathPatternOptions,
): PathPattern | undefined | { readonly error: string } {
  if (pattern.startsWith("!")) return undefined;
  const { binds, context } = options;
  const folded = binds || context.caseInsensitiveFiles;
  const plain = folded ? foldPath : unifyPath;
  const anchor = anchorOf(pattern, options, binds, context);
  const written = splitPattern(anchor.rest).map((part) => parseSegment(plain(part), binds));
  const resolved = resolveDots(written);
  if (resolved === undefined) return { error: "`..` stands behind a wildcard" };
  const directory = anchor.rest.endsWith("/");
  const deepEnd = resolved.own[resolved.own.length - 1]?.kind === "deep";
  const own = deepEnd ? withoutDeepEnd(resolved.own) : resolved.own;
  const last = own[own.length - 1];
  const covers = binds || deepEnd || directory || last === undefined || last.kind === "literal";
  const tail = covers ? [...own, DEEP] : own;
  const lists = anchor.bases.map((base) => {
    const head = base.slice(0, Math.max(0, base.length - resolved.up)).map((part) => literal(plain(part)));
    return anchor.floating ? [...head, DEEP, ...tail] : [...head, ...tail];
  });
  return { lists, directoryOnly: directory && !binds, container: directory || deepEnd, written: own, folded };
}

function literal(text: string): Segment {
  return { kind: "literal", text };
}

/** Splits at slashes; a backslash before a slash means nothing. */
function splitPattern(pattern: string): string[] {
  return pattern
    .replace(/\\\//gu, "/")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
}

/** Takes `a/..` out; `up` counts what climbs above the anchor. */
function resolveDots(parts: readonly Segment[]): { own: Segment[]; up: number } | undefined {
  const own: Segment[] = [];
  let up = 0;
  for (const part of parts) {
    if (part.kind !== "literal" || part.text !== "..") {
      own.push(part);
      continue;
    }
    const before = own.pop();
    if (before === undefined) up += 1;
    else if (before.kind !== "literal") return undefined;
  }
  return { own, up };
}

function withoutDeepEnd(parts: readonly Segment[]): readonly Segment[] {
  let end = parts.length;
  while (parts[end - 1]?.kind === "deep") end -= 1;
  return parts.slice(0, end);
}
