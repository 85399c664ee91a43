import { describe, expect, it } from "vitest";
import { analyseFresh } from "../analyse.ts";
import { MAX_LINE_BYTES, MAX_WALKED_TEXT } from "../limits.ts";
import { isTooDeep } from "./deep-word.ts";

const OPEN = "${a:-";
const nested = (depth: number, middle: string): string => OPEN.repeat(depth) + middle + "}".repeat(depth);
const codes = (line: string): string[] => analyseFresh(line).opaque.map((each) => each.code);

describe("words with many expansions inside each other", () => {
  it("are told by what the parser would read again", () => {
    const text = (depth: number, length: number): string =>
      nested(depth, "x".repeat(length - depth * (OPEN.length + 1)));
    expect(isTooDeep(text(16, MAX_LINE_BYTES))).toBe(false);
    expect(isTooDeep(text(17, MAX_LINE_BYTES))).toBe(true);
    expect(isTooDeep(text(256, MAX_WALKED_TEXT / 256))).toBe(false);
    expect(isTooDeep(text(256, MAX_WALKED_TEXT / 256 + 1))).toBe(true);
    // Beside each other they are read once.
    expect(isTooDeep(nested(1, "x").repeat(4000))).toBe(false);
    expect(isTooDeep("{".repeat(MAX_LINE_BYTES))).toBe(false);
  });

  it("are seen through as far as they are not too deep", () => {
    const analysis = analyseFresh(`echo ${nested(200, "$(rm x)")}`);
    expect(analysis.opaque).toEqual([]);
    expect(analysis.commands.map(({ text }) => text)).toContain("rm x");
  });

  it.each([
    ["an operand", (word: string) => `echo ${word}; rm y`],
    ["quotes", (word: string) => `echo "${word}"; rm y`],
    ["a value", (word: string) => `a=${word}; rm y`],
    ["a redirect", (word: string) => `rm y > ${word}`],
    ["a here-document", (word: string) => `rm y <<E\n${word}\nE\n`],
    ["a list", (word: string) => `for i in ${word}; do rm y; done`],
    ["a pattern", (word: string) => `case ${word} in ${word}) rm y;; esac`],
  ])("make the line opaque in %s, and the rest is still seen", (_, line) => {
    const { opaque, commands } = analyseFresh(line(nested(240, `${"x".repeat(8000)}$(rm x)`)));
    expect(opaque.map((each) => each.code)).toContain("too-many");
    expect(commands.some(({ text }) => text.startsWith("rm y"))).toBe(true);
  });

  it("stand for anything where the program's name is one", () => {
    expect(codes(`${nested(240, "x".repeat(8000))} x`)).toContain("dynamic-command");
  });
});
