import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openRows, type PromiseRow } from "./open-rows.ts";

const rows = [
  { id: "Q01", promise: "one" },
  { id: "Q02", promise: "two" },
  { id: "C01", promise: "three" },
];

describe("the table of promises", () => {
  it("has every row once", () => {
    const corpus = JSON.parse(
      readFileSync(new URL("../corpus/promises.json", import.meta.url), "utf8"),
    ) as PromiseRow[];
    const ids = corpus.map((row) => row.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(["Q", "C", "N"].map((part) => ids.filter((id) => id.startsWith(part)).length)).toEqual([
      39, 34, 14,
    ]);
    expect(corpus.every((row) => row.promise.length > 0)).toBe(true);
  });

  it("leaves a row open without a test, with a red one, and with one of a part", () => {
    const tests = [
      { name: "Q01 does it", passed: true },
      { name: "Q02 does it", passed: true },
      { name: "Q02 does it otherwise", passed: false },
      { name: "c01 in part: some", passed: true },
    ];
    expect(openRows(rows, tests).open).toEqual(["Q02", "C01"]);
  });

  it("names a test of a promise that does not exist", () => {
    expect(openRows(rows, [{ name: "Q99 dreams", passed: true }]).unknown).toEqual(["Q99 dreams"]);
  });
});
