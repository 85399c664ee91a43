import type { PermissionContext, RuleSource } from "../../protocol/index.ts";
import { componentsOf } from "./fold.ts";

/** Where a path pattern starts: directories as components, and whether it counts at any depth below them. */
interface Anchor {
  readonly bases: readonly (readonly string[])[];
  readonly floating: boolean;
  /** The pattern without the characters that chose the anchor. */
  readonly rest: string;
}

/** What says where a rule's single `/` starts. */
interface RuleOrigin {
  readonly source: RuleSource;
  /** A directory of its own, in files of hosts that anchor otherwise. */
  readonly slashRoot?: string | undefined;
}

/**
 * Reads the start of a path pattern: `//x` the root, `~/x` home, `/x` the root of the rule's source or its `slashRoot`,
 * `./x` and `a/b` the start directory, a bare name or `**` any depth (for allow: below the working directories).
 */
export function anchorOf(
  pattern: string,
  from: RuleOrigin,
  binds: boolean,
  context: PermissionContext,
): Anchor {
  if (/^[A-Za-z]:[\\/]/.test(pattern)) return fixed([[]], pattern.replace(/\\/gu, "/"));
  if (pattern.startsWith("//")) return fixed([[]], pattern.slice(2));
  if (pattern === "~" || pattern.startsWith("~/")) return fixed(homeForms(binds, context), pattern.slice(2));
  if (pattern.startsWith("/")) return fixed(slashRoots(from, binds, context), pattern.slice(1));
  const starts = startForms(context);
  if (pattern === "." || pattern.startsWith("./")) return fixed(starts, pattern.slice(2));
  const inner = pattern.endsWith("/") ? pattern.slice(0, -1) : pattern;
  if (inner === ".." || (inner.includes("/") && !inner.startsWith("**/"))) return fixed(starts, pattern);
  if (binds) return { bases: [[]], floating: true, rest: pattern };
  const added = [...context.additionalDirectories.keys()].flatMap((each) => formsOf(each, context));
  return { bases: [...starts, ...added], floating: true, rest: pattern };
}

function fixed(bases: readonly (readonly string[])[], rest: string): Anchor {
  return { bases, floating: false, rest };
}

/** A directory as it is named and, where that is another, with links followed. */
function formsOf(directory: string, context: PermissionContext): string[][] {
  return withReal(componentsOf(directory), context.realForms?.get(directory) ?? directory);
}

/** What binds is about the person's own home too, where the shell has another. */
function homeForms(binds: boolean, context: PermissionContext): string[][] {
  const own = binds && context.ownHome !== undefined ? formsOf(context.ownHome, context) : [];
  return [...formsOf(context.home, context), ...own];
}

function startForms(context: PermissionContext): string[][] {
  const given = componentsOf(context.startDirectory);
  return withReal(given, context.startDirectoryReal);
}

function slashRoots(from: RuleOrigin, binds: boolean, context: PermissionContext): string[][] {
  return from.slashRoot === undefined
    ? sourceRoots(from.source, binds, context)
    : formsOf(from.slashRoot, context);
}

function sourceRoots(source: RuleSource, binds: boolean, context: PermissionContext): string[][] {
  if (source === "policySettings") return [[]];
  if (source === "userSettings") return homeForms(binds, context);
  if (context.realForms?.has(context.projectRoot)) return formsOf(context.projectRoot, context);
  const root = componentsOf(context.projectRoot);
  const start = componentsOf(context.startDirectory);
  const real = componentsOf(context.startDirectoryReal);
  const below = start.slice(root.length);
  const same = root.every((part, index) => start[index] === part);
  const tail = real.slice(real.length - below.length);
  // The project root with its links followed: known where the way down to the start directory holds no link.
  const known = same && real.length >= below.length && below.every((part, index) => tail[index] === part);
  return known ? withReal(root, `/${real.slice(0, real.length - below.length).join("/")}`) : [root];
}

function withReal(given: string[], realPath: string): string[][] {
  const real = componentsOf(realPath);
  const same = real.length === given.length && real.every((part, index) => part === given[index]);
  return same ? [given] : [given, real];
}
