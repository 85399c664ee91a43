import { describe, expect, it } from "vitest";
import { componentsOf, foldPath, isAbsolute, unifyPath } from "./fold.ts";
import { parseRuleList } from "./list.ts";
import { hasOperator } from "./operators.ts";

describe("the forms of a path", () => {
  it.each([
    ["/A/b", "/a/b", "/A/b"],
    ["Cafe\u0301", "caf\u00e9", "Caf\u00e9"],
    ["\u017f", "s", "\u017f"],
    ["\u0301", "\u0301", "\u0301"],
    ["", "", ""],
  ])("of %j are %j and %j", (text, folded, unified) => {
    expect(foldPath(text)).toBe(folded);
    expect(unifyPath(text)).toBe(unified);
  });

  it.each([
    ["/a/b", ["a", "b"]],
    ["//a///b/", ["a", "b"]],
    ["/a\\b", ["a\\b"]],
    ["a/C:\\b", ["a", "C:\\b"]],
    ["/a\\\\b", ["a\\\\b"]],
    ["C:\\a\\b", ["C:", "a", "b"]],
    ["c:/a\\b", ["c:", "a", "b"]],
    ["\\\\server\\share", ["server", "share"]],
    ["/", []],
    ["", []],
  ])("%j has the components %j", (path, components) => {
    expect(componentsOf(path)).toEqual(components);
  });

  it.each([
    ["/a", true],
    ["C:\\a", true],
    ["z:/a", true],
    ["\\\\server\\share", true],
    ["a/b", false],
    ["a\\\\b", false],
    ["xC:\\a", false],
    ["1:\\a", false],
    ["C:a", false],
    ["\\a", false],
  ])("%j is absolute: %s", (path, absolute) => {
    expect(isAbsolute(path)).toBe(absolute);
  });
});

describe("a list of rules", () => {
  const texts = (...entries: string[]) => parseRuleList(entries, "deny", "session").map(({ text }) => text);

  it("is split at commas outside brackets", () => {
    expect(texts("A, B ,C")).toEqual(["A", "B", "C"]);
    expect(texts("Bash(a,b), C")).toEqual(["Bash(a,b)", "C"]);
    expect(texts("Bash((a,b),c), D")).toEqual(["Bash((a,b),c)", "D"]);
    expect(texts("Bash(a\\),b), C")).toEqual(["Bash(a\\),b)", "C"]);
    expect(texts("A),B")).toEqual(["A)", "B"]);
    expect(texts("A,,B,")).toEqual(["A", "B"]);
    expect(texts(" A ")).toEqual([" A "]);
    expect(texts("Bash(a,b) ")).toEqual(["Bash(a,b) "]);
    expect(texts("A\\,B")).toEqual(["A\\,B"]);
    expect(texts(",")).toEqual([]);
  });

  it("stays one text where it cannot be split cleanly", () => {
    expect(texts("A, Bash(b,c")).toEqual(["A, Bash(b,c"]);
    expect(texts("Bash(a,b")).toEqual(["Bash(a,b"]);
  });

  it("says where each rule stands", () => {
    expect(parseRuleList(["A,B", "C"], "allow", "cliArg")).toStrictEqual([
      { text: "A", behavior: "allow", source: "cliArg", position: 1 },
      { text: "B", behavior: "allow", source: "cliArg", position: 1 },
      { text: "C", behavior: "allow", source: "cliArg", position: 2 },
    ]);
    expect(parseRuleList(["A"], "ask", "session", "f")).toStrictEqual([
      { text: "A", behavior: "ask", source: "session", position: 1, file: "f" },
    ]);
  });
});

describe("an operator", () => {
  it.each([
    ["a; b", true],
    ["a|b", true],
    ["a & b", true],
    ["a > b", true],
    ["a < b", true],
    ["a\nb", true],
    ["a b", false],
    ["a '; b'", false],
    ['a "| b"', false],
    ["a \\; b", false],
    ["a '\\' ; b", true],
    ["a '\\'; b'", true],
    ['a "\\"; b"', false],
    ["a 'x' ; b", true],
    ["a 'it\"s' ; b", true],
    ["a '\"; b", false],
    ["", false],
  ])("stands in %j: %s", (text, stands) => {
    expect(hasOperator(text)).toBe(stands);
  });
});
