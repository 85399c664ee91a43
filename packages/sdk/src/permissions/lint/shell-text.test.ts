import { describe, expect, it } from "vitest";
import { openQuote, shellStart, wordsOf } from "./shell-text.ts";
import { subjectOf } from "./subject.ts";

function start(text: string): string {
  const subject = subjectOf({ text: `Bash(${text})`, behavior: "allow", source: "session" });
  if (subject === undefined) throw new Error(text);
  const { text: literal, open } = shellStart(subject);
  return `${literal}${open ? " …" : ""}`;
}

describe("shellStart", () => {
  it.each([
    ["npm test", "npm test"],
    ["npm test:*", "npm test …"],
    ["npm test *", "npm test …"],
    ["npm test*", "npm test …"],
    ["npm * x", "npm * x"],
    ["npm * x:*", "npm * x …"],
    ["a: b*", "a: b …"],
    [String.raw`npm test \*`, "npm test *"],
  ])("%s: %s", (text, want) => {
    expect(start(text)).toBe(want);
  });
});

describe("wordsOf", () => {
  it.each<[string, string[]]>([
    ["", []],
    ["  a  b ", ["a", "b"]],
    ["a\tb\nc", ["a", "b", "c"]],
    ["'a b' c", ["'a b'", "c"]],
    ['"a b" c', ['"a b"', "c"]],
    [`"a ' b" c`, [`"a ' b"`, "c"]],
    [`'a " b' c`, [`'a " b'`, "c"]],
    ["x'a b'y c", ["x'a b'y", "c"]],
    ["'a b", ["'a b"]],
  ])("%j: %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe("openQuote", () => {
  it.each([
    ["a", ""],
    ["", ""],
    ["'a", "'"],
    ['"a', '"'],
    ["'a'", ""],
    ['"a"', ""],
    [`"a'`, '"'],
    [`'a"`, "'"],
    [String.raw`\"a`, ""],
    [String.raw`"\"a`, '"'],
    [String.raw`"\"`, '"'],
    [String.raw`'\'`, ""],
    ["'a\\", "'"],
    ["'a' 'b", "'"],
  ])("of %j is %j", (text, quote) => {
    expect(openQuote(text)).toBe(quote);
  });
});
