import type { InputIssue } from "../protocol/index.ts";

const SHOWN_ISSUES = 10;

/** What came, in a few words: `string "abc"`, `array of 3`, `nothing`. At most about 60 characters. */
export function gotText(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (typeof value === "string") {
    const shown = value.length > 40 ? `${value.slice(0, 40)}…` : value;
    return `string ${JSON.stringify(shown)}`;
  }
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (typeof value === "object") {
    const keys = Object.keys(value);
    if (keys.length === 0) return "empty object";
    const shown = keys.slice(0, 4).map((key) => key.slice(0, 12));
    return `object with ${shown.join(", ")}${keys.length > 4 ? " …" : ""}`;
  }
  return `${typeof value} ${String(value)}`;
}

/**
 * Issues as lines that a model can act on: `- items.0.name: must be a string (got number 5)`.
 * At most ten are shown, the rest is counted.
 */
export function issuesText(issues: readonly InputIssue[]): string {
  const lines = issues.slice(0, SHOWN_ISSUES).map((issue) => {
    const place = issue.path === "" ? "the input" : issue.path;
    const facts = [
      ...(issue.expected === undefined ? [] : [`expected ${issue.expected}`]),
      ...(issue.got === undefined ? [] : [`got ${issue.got}`]),
    ];
    return `- ${place}: ${issue.message}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`;
  });
  if (issues.length > SHOWN_ISSUES) lines.push(`- and ${issues.length - SHOWN_ISSUES} more`);
  return lines.join("\n");
}
