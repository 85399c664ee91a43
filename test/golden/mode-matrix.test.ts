import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { matrixCalls } from "./mode-calls.ts";
import { MODES, matrixRow } from "./mode-matrix.ts";

const [head = [], ...rows] = readFileSync(new URL("mode-matrix.md", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("|") && !line.startsWith("|--"))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe("the matrix of modes and calls", () => {
  it("has every mode and every call, each with its reason", () => {
    expect(head).toEqual(["call", ...MODES.keys(), "why"]);
    expect(rows.map(([name]) => name)).toEqual([...matrixCalls({ cwd: "/", outside: "/" }).keys()]);
    for (const row of rows) expect(row.at(-1)).toMatch(/\w.*\.$/);
  });

  it("knows yolo as another name of bypassPermissions", () => {
    const at = (mode: string) => head.indexOf(mode);
    for (const row of rows) expect(row[at("yolo")]).toBe(row[at("bypassPermissions")]);
  });

  it.each(rows.map(([name = "", ...cells]) => ({ name, cells: cells.slice(0, -1) })))(
    "$name",
    async ({ name, cells }) => {
      expect(await matrixRow(name)).toEqual(cells);
    },
  );
});
