import type { PermissionContext, SourcedRule } from "../../protocol/index.ts";
import type { CompiledRules } from "./compile.ts";

/** Sessions of one program mostly state the same few lists. */
const KEPT = 16;

/** A copy of what compiling looks at, so that a list that its owner changes later is not taken for the old one. */
interface Entry {
  readonly context: PermissionContext;
  readonly rules: CompiledRules;
}

/** The latest first. */
let recent: readonly Entry[] = [];

/**
 * The rules of an equal context compiled before, else `compile()`. Contexts are equal when everything that
 * compiling looks at is; mode and trust are not part of it.
 */
export function recentRules(context: PermissionContext, compile: () => CompiledRules): CompiledRules {
  const known = recent.find((entry) => sameForRules(entry.context, context));
  if (known !== undefined) return known.rules;
  const rules = compile();
  recent = [{ context: copyOf(context), rules }, ...recent.slice(0, KEPT - 1)];
  return rules;
}

function copyOf(context: PermissionContext): PermissionContext {
  return {
    ...context,
    rules: context.rules.map((rule) => ({ ...rule })),
    additionalDirectories: new Map(context.additionalDirectories),
  };
}

function sameForRules(a: PermissionContext, b: PermissionContext): boolean {
  return (
    a.startDirectory === b.startDirectory &&
    a.startDirectoryReal === b.startDirectoryReal &&
    a.projectRoot === b.projectRoot &&
    a.home === b.home &&
    a.caseInsensitiveFiles === b.caseInsensitiveFiles &&
    sameDirectories(a.additionalDirectories, b.additionalDirectories) &&
    sameRules(a.rules, b.rules)
  );
}

function sameDirectories(
  a: PermissionContext["additionalDirectories"],
  b: PermissionContext["additionalDirectories"],
): boolean {
  if (a.size !== b.size) return false;
  const others = b.keys();
  for (const directory of a.keys()) if (others.next().value !== directory) return false;
  return true;
}

function sameRules(a: readonly SourcedRule[], b: readonly SourcedRule[]): boolean {
  return a.length === b.length && a.every((rule, i) => sameRule(rule, b[i]));
}

function sameRule(a: SourcedRule, b: SourcedRule | undefined): boolean {
  return (
    a.text === b?.text &&
    a.behavior === b.behavior &&
    a.source === b.source &&
    a.file === b.file &&
    a.position === b.position &&
    a.reason === b.reason &&
    a.expires === b.expires
  );
}
