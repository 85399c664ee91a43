import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columnsOf, oneLine, padded, wrapped } from "./columns.ts";

const numRuns = Number(process.env.CASTELLAN_RUNS ?? 200);

describe("columnsOf", () => {
  it.each([
    ["abc", 3],
    ["grüße", 5],
    ["gru\u0308n", 4],
    ["日本", 4],
    ["✔ ok", 4],
    ["🚀", 2],
  ])("%s takes %i", (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });
});

describe("oneLine", () => {
  it.each([
    ["a  b\n\tc", 10, "a b c"],
    ["abcdef", 6, "abcdef"],
    ["abcdefg", 6, "abcde…"],
    ["日本語", 5, "日本…"],
  ])("%j in %i", (text, columns, line) => {
    expect(oneLine(text, columns)).toBe(line);
  });
});

describe("padded", () => {
  it("counts columns", () => {
    expect(padded("日", 4)).toBe("日  ");
    expect(padded("long", 2)).toBe("long");
  });
});

describe("wrapped", () => {
  it.each([
    ["one two three", 7, ["one two", "three"]],
    ["one two three", 8, ["one two", "three"]],
    ["abcdefgh", 3, ["abc", "def", "gh"]],
    ["a\n\nb", 3, ["a", "", "b"]],
    ["    indented", 8, ["    inde", "nted"]],
    ["\tx", 8, ["  x"]],
    ["日本語", 4, ["日本", "語"]],
  ])("%j in %i", (text, columns, lines) => {
    expect(wrapped(text, columns)).toEqual(lines);
  });

  it("fits, and loses nothing but white space at the breaks", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 20 }), (given, columns) => {
        const lines = wrapped(given, columns);
        expect(lines.filter((line) => columnsOf(line) > columns)).toEqual([]);
        const bare = (value: string): string => value.replace(/\s/g, "");
        expect(bare(lines.join(""))).toBe(bare(wrapped(given, 10_000).join("")));
      }),
      { numRuns },
    );
  });
});
