import type { PermissionContext, SourcedRule } from "../../protocol/index.ts";
import { canonicalName, familyOf, foldedName } from "../rule/names.ts";
import { parseRule } from "../rule/parse.ts";
import { piecesOf } from "../rule/specifier.ts";

/** A rule that can be read, with what checks ask about it. */
export interface Subject {
  readonly rule: SourcedRule;
  /** Deny or ask. */
  readonly binds: boolean;
  /** The name as written. */
  readonly toolName: string;
  /** The tool that is meant: exact for allow, without case for deny and ask. */
  readonly tool: string;
  readonly family: ReturnType<typeof familyOf>;
  /** The text between the brackets as written; absent for a rule on the whole tool. */
  readonly specifier?: string;
  /** The specifier around its wildcards, escapes taken off. Empty for a rule on the whole tool. */
  readonly pieces: readonly string[];
  /** `pieces` as a text, each wildcard a `*`. */
  readonly plain: string;
}

/** What checks may ask about everything else. */
export interface World {
  readonly subjects: readonly Subject[];
  readonly context: PermissionContext;
  readonly sandboxed: boolean;
  readonly now: number | undefined;
  /** Whether a rule with this text stands in a list of this behaviour. */
  has(text: string, behavior: SourcedRule["behavior"]): boolean;
  /** The rules on a whole tool that bind it. */
  bound(toolName: string): Subject | undefined;
}

export function subjectOf(rule: SourcedRule): Subject | undefined {
  const parsed = parseRule(rule.text);
  if ("error" in parsed) return undefined;
  const { toolName, ruleContent } = parsed;
  const binds = rule.behavior !== "allow";
  const pieces = ruleContent === undefined ? [] : piecesOf(ruleContent);
  return {
    rule,
    binds,
    toolName,
    tool: binds ? foldedName(toolName) : canonicalName(toolName),
    family: familyOf(toolName),
    ...(ruleContent === undefined ? {} : { specifier: ruleContent }),
    pieces,
    plain: pieces.join("*"),
  };
}

export function worldOf(
  subjects: readonly Subject[],
  context: PermissionContext,
  rest: Pick<World, "sandboxed" | "now">,
): World {
  const texts = new Set(subjects.map(({ rule }) => `${rule.behavior} ${rule.text}`));
  const bound = new Map<string, Subject>();
  for (const subject of subjects)
    if (subject.binds && subject.specifier === undefined && !bound.has(subject.tool))
      bound.set(subject.tool, subject);
  return {
    ...rest,
    subjects,
    context,
    has: (text, behavior) => texts.has(`${behavior} ${text}`),
    bound: (toolName) => bound.get(foldedName(toolName)) ?? bound.get("*"),
  };
}
