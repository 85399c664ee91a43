import type { Row } from "./row.ts";

const HEAD = [
  "scenario",
  "unit",
  "ours",
  "http floor",
  "fetch floor",
  "ratio",
  "to fetch",
  "first bar",
  "goal",
  "",
];

/** The rows as a table for people. */
export function table(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  const text = lines.map((line) =>
    line
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
  const lists = rows.flatMap((row) => (row.parts === undefined ? [] : ["", partsOf(row, row.parts)]));
  return [text[0], widths.map((width) => "-".repeat(width)).join("  "), ...text.slice(1), ...lists].join(
    "\n",
  );
}

/** The worst first. */
function partsOf({ scenario, unit }: Row, parts: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(parts).sort(([, a], [, b]) => b - a);
  return `${scenario} (${unit}): ${sorted.map(([name, value]) => `${name} ${figure(value)}`).join(", ")}`;
}

function cells(row: Row): string[] {
  return [
    row.scenario,
    row.unit,
    figure(row.ours),
    figure(row.http),
    figure(row.fetch),
    figure(row.ratio),
    figure(row.fetchRatio),
    figure(row.bar?.first),
    figure(row.bar?.goal),
    row.verdict,
  ];
}

function figure(value: number | undefined): string {
  if (value === undefined) return "";
  const size = Math.abs(value);
  return Number.isInteger(value)
    ? String(value)
    : value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4);
}
