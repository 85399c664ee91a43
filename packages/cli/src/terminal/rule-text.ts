import type { MatchedRule, PermissionUpdate } from "@castellan/sdk";

/** A rule with the place it comes from: `rule Read(.env) from flagSettings (settings.permissions.deny)`. */
export function ruleText(rule: MatchedRule): string {
  return `rule ${rule.text} from ${rule.source}${rule.file === undefined ? "" : ` (${rule.file})`}`;
}

/** What would be remembered, as rules; undefined when there is nothing. */
export function rememberText(updates: readonly PermissionUpdate[]): string | undefined {
  const parts = updates.map((update) => {
    if (update.type === "setMode") return `mode ${update.mode}`;
    if ("directories" in update) return `directory ${update.directories.join(", ")}`;
    return update.rules
      .map((rule) =>
        rule.ruleContent === undefined ? rule.toolName : `${rule.toolName}(${rule.ruleContent})`,
      )
      .join(", ");
  });
  return parts.length === 0 ? undefined : parts.join("; ");
}
