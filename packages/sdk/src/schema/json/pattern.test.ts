import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern } from "./pattern.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);

// Each is tried on every text below, and must answer as the native engine does.
const PATTERNS = [
  "^\\s+$",
  "^\\S+$",
  "[\\s\\d]",
  "[^\\s]",
  "[\\S]",
  "^.$",
  "^[^]$",
  "[]",
  "\\u00e9",
  "\\ud83d\\ude00",
  "\\u{1F600}",
  "\\x41",
  "\\cJ",
  "[\\b]",
  "\\0",
  "\\bfoo\\b",
  "\\p{L}",
  "\\P{L}",
  "\\p{Letter}",
  "\\p{Script=Greek}",
  "\\p{Lu}",
  "(?<word>foo)",
  "(?:a|b)+?",
  "a{2,3}",
  "[[]",
  "[a\\]]",
  "[\\w\\-]",
  "\\/",
  "^$",
  "a$",
  "[^.]",
  "\\.",
  "(a)|b",
];
const TEXTS = [
  "",
  "a",
  "aa",
  "A",
  "b",
  "é",
  "😀",
  " ",
  "\u00a0",
  "\u2028",
  "\n",
  "\r",
  "\v",
  "\b",
  "\0",
  "foo",
  "a foo!",
  "food",
  "α",
  "1",
  "[",
  "]",
  "-",
  "/",
  ".",
  "a\n",
  "\ufeff",
  "aaa",
];

describe("patterns", () => {
  it.each(PATTERNS)("%s means what JavaScript means by it", (source) => {
    const compiled = compilePattern(source);
    if (!compiled.ok) throw new Error(compiled.message);
    const native = new RegExp(source, "u");
    for (const text of TEXTS) expect([text, compiled.test(text)]).toEqual([text, native.test(text)]);
  });

  it("mean the same on any text", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PATTERNS),
        fc.string({ unit: "binary", maxLength: 12 }),
        (source, text) => {
          const compiled = compilePattern(source);
          expect(compiled.ok && compiled.test(text)).toBe(new RegExp(source, "u").test(text));
        },
      ),
      { numRuns: runs },
    );
  });

  it.each([
    ["(?=a)", "look-ahead"],
    ["(?!a)", "look-ahead"],
    ["(?<=a)b", "look-behind"],
    ["(?<!a)b", "look-behind"],
    ["(a)\\1", "back-reference"],
    ["(?<n>a)\\k<n>", "back-reference"],
    ["\\p{Emoji}", "Unicode property"],
    ["a{1,2000}", "1000"],
    ["(?i)a", "Unicode mode"],
    ["\\-", "Unicode mode"],
  ])("%s is refused", (source, word) => {
    const compiled = compilePattern(source);
    expect(compiled.ok ? "compiled" : `${compiled.message} ${compiled.fix}`).toContain(word);
  });

  it("cannot be made to run for ever", () => {
    const compiled = compilePattern("^(a+)+$");
    expect(compiled.ok && compiled.test(`${"a".repeat(20_000)}b`)).toBe(false);
  });
});
