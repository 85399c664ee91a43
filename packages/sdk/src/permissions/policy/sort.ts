import { PERMISSION_RULE_SOURCES, type SourcedRule } from "../../protocol/index.ts";

const AUTHORITY: ReadonlyMap<string, number> = new Map(
  PERMISSION_RULE_SOURCES.map((source, index) => [source, index]),
);

/**
 * Rules in one fixed order, whatever order they came in: of several rules that settle a call,
 * the same one is always named.
 */
export function inFixedOrder(rules: readonly SourcedRule[]): SourcedRule[] {
  return [...rules].sort(
    (a, b) =>
      (AUTHORITY.get(a.source) ?? 99) - (AUTHORITY.get(b.source) ?? 99) ||
      compare(a.file ?? "", b.file ?? "") ||
      (a.position ?? 0) - (b.position ?? 0) ||
      compare(a.text, b.text) ||
      compare(a.reason ?? "", b.reason ?? "") ||
      (a.expires ?? Number.POSITIVE_INFINITY) - (b.expires ?? Number.POSITIVE_INFINITY) ||
      compare(a.slashRoot ?? "", b.slashRoot ?? "") ||
      compare(a.approver ?? "", b.approver ?? "") ||
      0,
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
