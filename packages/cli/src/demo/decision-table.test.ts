import pc from "picocolors";
import { describe, expect, it } from "vitest";
import { columnsOf } from "../terminal/columns.ts";
import { decisionTable } from "./decision-table.ts";
import type { DecidedCall } from "./decisions.ts";

const rule = {
  text: "Read(./a/very/long/folder/name/with/secrets/inside/.env)",
  behavior: "deny",
  source: "projectSettings",
  file: ".castellan/settings.json",
} as const;
const calls: readonly DecidedCall[] = [
  {
    tool: "Bash",
    input: { command: "cat a/very/long/folder/name/with/secrets/inside/.env" },
    decision: { behavior: "deny", message: "x", reason: { type: "rule", rule }, rule },
    isError: true,
  },
  {
    tool: "日本語",
    input: {},
    decision: {
      behavior: "allow",
      message: "日本語 is allowed: low risk.",
      reason: { type: "risk", level: "low" },
    },
    isError: false,
  },
];

describe("decisionTable", () => {
  it.each([60, 80, 120])("fits into %i columns and keeps rule and source in full", (width) => {
    const lines = decisionTable(calls, pc.createColors(false), width);
    expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
    const why = (lines[0] ?? "").indexOf("why");
    const reasons = lines.slice(1).map((line) => line.slice(why));
    const bare = reasons.join("").replaceAll(" ", "");
    expect(bare).toContain(`rule${rule.text}fromprojectSettings(.castellan/settings.json)`);
    expect(lines.at(-1)).toMatch(/^ {2}日本語 +allow {3}low risk$/);
  });
});
