import type { PermissionContext, SourcedRule } from "../../protocol/index.ts";
import type { CompiledRules } from "./compiled-rules.ts";

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
  const { realForms } = context;
  return {
    ...context,
    rules: context.rules.map((rule) => ({ ...rule })),
    additionalDirectories: new Map(context.additionalDirectories),
    ...(realForms === undefined ? {} : { realForms: new Map(realForms) }),
  };
}

/** What compiling never looks at. Whatever else a context has, or gets one day, must be equal. */
const NO_PART: ReadonlySet<string> = new Set<keyof PermissionContext>([
  "mode",
  "prePlanMode",
  "planMode",
  "isBypassAvailable",
  "avoidPrompts",
  "trusted",
  "brokenSettings",
  "blockReadsOutside",
  "blockWritesOutside",
  "bypassDisabled",
  "denyInsteadOfPrompting",
  "managedRulesOnly",
]);

function sameForRules(a: PermissionContext, b: PermissionContext): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof PermissionContext>;
  for (const key of keys) if (!NO_PART.has(key) && !sameField(key, a[key], b[key])) return false;
  return true;
}

function sameField(key: keyof PermissionContext, a: unknown, b: unknown): boolean {
  if (key === "rules") return sameRules(a as readonly SourcedRule[], b as readonly SourcedRule[]);
  return a instanceof Map && b instanceof Map ? sameMap(a, b) : a === b;
}

/** In the same order, too: a list is told as it was given. */
function sameMap(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): boolean {
  if (a.size !== b.size) return false;
  const others = b.entries();
  for (const [key, value] of a) {
    const [otherKey, otherValue] = others.next().value ?? [];
    if (key !== otherKey || value !== otherValue) return false;
  }
  return true;
}

function sameRules(a: readonly SourcedRule[], b: readonly SourcedRule[]): boolean {
  return a.length === b.length && a.every((rule, i) => sameRule(rule, b[i]));
}

function sameRule(a: SourcedRule, b: SourcedRule | undefined): boolean {
  if (b === undefined) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof SourcedRule>;
  for (const key of keys) if (a[key] !== b[key]) return false;
  return true;
}
