import type { RuleSource, SourcedRule } from "../../protocol/index.ts";

/** Something about a rule that its author should know. */
export interface Finding {
  /** `error`: the rule does not do what it says; `warning`: it does less or more than it looks. */
  readonly severity: "error" | "warning" | "info";
  /** The rule as written. */
  readonly text: string;
  readonly source: RuleSource;
  readonly file?: string;
  readonly position?: number;
  readonly message: string;
  /** The mended rule, or what to do. */
  readonly fix?: string;
}

export function findingOf(
  rule: SourcedRule,
  severity: Finding["severity"],
  message: string,
  fix?: string,
): Finding {
  return {
    severity,
    text: rule.text,
    source: rule.source,
    ...(rule.file === undefined ? {} : { file: rule.file }),
    ...(rule.position === undefined ? {} : { position: rule.position }),
    message,
    ...(fix === undefined ? {} : { fix }),
  };
}

/** Where a rule stands, for messages: `projectSettings, .castellan/settings.json, line 3`. */
export function placeOf(rule: Pick<SourcedRule, "source" | "file" | "position">): string {
  const parts: string[] = [rule.source];
  if (rule.file !== undefined) parts.push(rule.file);
  // A position counts lines in a file, and entries in the list of an option.
  const unit = rule.file !== undefined && /[/\\]|\.json$/.test(rule.file) ? "line" : "entry";
  if (rule.position !== undefined) parts.push(`${unit} ${rule.position}`);
  return parts.join(", ");
}
