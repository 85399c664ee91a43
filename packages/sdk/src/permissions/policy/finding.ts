import type { RuleBehavior, RuleSource, SourcedRule } from "../../protocol/index.ts";
import { FINDING_CODES, type FindingCode } from "./finding-codes.ts";

/** Something about a rule that its author should know. */
export interface Finding {
  readonly code: FindingCode;
  /** `error`: the rule does not do what it says; `warning`: it does less or more than it looks. */
  readonly severity: "error" | "warning" | "info";
  /** The rule as written. */
  readonly text: string;
  /** The list that it stands in. */
  readonly behavior: RuleBehavior;
  readonly source: RuleSource;
  readonly file?: string;
  readonly position?: number;
  readonly message: string;
  /** What to do, in words. */
  readonly fix?: string;
  /** The mended rule. */
  readonly mended?: string;
  /** The mended rule may be written without asking: in place of the old one, or beside it. It never loosens. */
  readonly apply?: "replace" | "add";
}

/** How a finding says what to do: in words, or with the mended rule. */
export interface Remedy extends Pick<Finding, "fix" | "mended" | "apply"> {
  /** Where it is not the one of the table. */
  readonly severity?: Finding["severity"];
}

/**
 * The mended rule, which may be written without asking in deny and ask alone: there it takes nothing from what binds.
 */
export function mending(
  { behavior }: SourcedRule,
  mended: string,
  apply: NonNullable<Finding["apply"]>,
): Remedy {
  return behavior === "allow" ? { mended } : { mended, apply };
}

/** Every finding about a rule is made here. Its severity is that of the table of codes. */
export function findingOf(
  rule: SourcedRule,
  code: FindingCode,
  message: string,
  remedy: Remedy = {},
): Finding {
  const { mended, apply } = remedy;
  const fix = remedy.fix ?? (mended === undefined ? undefined : `Write ${mended}.`);
  const entry = FINDING_CODES[code];
  return {
    code,
    severity: remedy.severity ?? (rule.behavior === "allow" ? entry.allow : entry.binds),
    text: rule.text,
    behavior: rule.behavior,
    source: rule.source,
    ...(rule.file === undefined ? {} : { file: rule.file }),
    ...(rule.position === undefined ? {} : { position: rule.position }),
    message,
    ...(fix === undefined ? {} : { fix }),
    ...(mended === undefined ? {} : { mended }),
    ...(apply === undefined ? {} : { apply }),
  };
}

/** Where a rule stands, for messages: `projectSettings, .castellan/settings.json, line 3`. */
export function placeOf(rule: Pick<SourcedRule, "source" | "file" | "position">): string {
  const parts: string[] = [rule.source];
  if (rule.file !== undefined) parts.push(rule.file);
  if (rule.position !== undefined) parts.push(`${positionUnit(rule.file)} ${rule.position}`);
  return parts.join(", ");
}

/** What a rule's position counts: lines in a file, entries in the list of an option. */
export function positionUnit(file: string | undefined): "line" | "entry" {
  return file !== undefined && /[/\\]|\.json$/.test(file) ? "line" : "entry";
}
