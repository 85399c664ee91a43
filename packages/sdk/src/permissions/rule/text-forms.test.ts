import { describe, expect, it } from "vitest";
import { formatRule, parseRule } from "./parse.ts";
import { escapePathSpecifier, escapeSpecifier, piecesOf } from "./specifier.ts";
import { matchesStar, starsMeet } from "./star.ts";
import {
  firstWordOf,
  foldFirstWord,
  foldPattern,
  matchesText,
  mayMatchText,
  parseTextPattern,
  type TextPattern,
} from "./text-pattern.ts";

const word = (firstWord: string | undefined, ...alternatives: string[][]): TextPattern =>
  firstWord === undefined ? { kind: "word", alternatives } : { kind: "word", alternatives, firstWord };

describe("a text specifier", () => {
  it.each([
    ["npm", word("npm", ["npm"])],
    ["npm test", word("npm", ["npm test"])],
    ["npm:*", word("npm", ["npm"], ["npm ", ""])],
    ["npm *", word("npm", ["npm"], ["npm ", ""])],
    ["npm*", word(undefined, ["npm", ""])],
    ["npm test*", word("npm", ["npm test", ""])],
    ["npm test:*", word("npm", ["npm test"], ["npm test ", ""])],
    ["git * push:*", word("git", ["git ", " push"], ["git ", " push ", ""])],
    ["gi*t:*", word(undefined, ["gi", "t"], ["gi", "t ", ""])],
    [" a", word(undefined, [" a"])],
    ["*", word(undefined, ["", ""])],
    ["* x", word(undefined, ["", " x"])],
    ["", word(undefined, [""])],
    ["a; b*", { kind: "line", text: "a; b*" }],
  ])("%j is %j", (specifier, pattern) => {
    expect(parseTextPattern(specifier, true)).toStrictEqual(pattern);
  });

  it("has nothing before its end in these", () => {
    const error = { error: "there is nothing before the `*` at its end" };
    for (const text of [":*", " *", "  :*", "  *"]) expect(parseTextPattern(text, true)).toEqual(error);
    expect(parseTextPattern("**:*", true)).toStrictEqual(word(undefined, ["", "", ""], ["", "", " ", ""]));
  });

  it("describes a whole line in a shell alone", () => {
    expect(parseTextPattern("a; b", false)).toStrictEqual(word("a;", ["a; b"]));
  });
});

describe("a pattern of text", () => {
  const line: TextPattern = { kind: "line", text: "A b; C" };

  it("names its line, or any of its alternatives", () => {
    expect(matchesText(line, "A b; C")).toBe(true);
    expect(matchesText(line, "A b; D")).toBe(false);
    expect(mayMatchText(line, ["A ", "; C"])).toBe(true);
    expect(mayMatchText(line, ["B ", "; C"])).toBe(false);
    const two = word("npm", ["npm"], ["npm ", ""]);
    expect(["npm", "npm x", "npmx"].map((text) => matchesText(two, text))).toEqual([true, true, false]);
    expect(mayMatchText(two, ["np", ""])).toBe(true);
    expect(mayMatchText(two, ["npx", ""])).toBe(false);
  });

  it("is folded in its first word alone", () => {
    expect(foldPattern(line)).toEqual({ kind: "line", text: "a b; C" });
    expect(foldPattern(word("NPM", ["NPM"], ["NPM Test ", "X"]))).toStrictEqual(
      word("npm", ["npm"], ["npm Test ", "X"]),
    );
    expect(foldPattern(word(undefined, ["A", "B"]))).toStrictEqual(word(undefined, ["a", "B"]));
    expect(["A", "A B", " A", "", "A\tB C"].map(foldFirstWord)).toEqual(["a", "a B", " A", "", "a\tb C"]);
    expect(["A", "A B", " A", ""].map(firstWordOf)).toEqual(["A", "A", "", ""]);
  });
});

describe("text with wildcards", () => {
  it.each([
    [["a"], "a", true],
    [["a"], "ab", false],
    [["a", ""], "ab", true],
    [["", "b"], "ab", true],
    [["ab", "ba"], "aba", false],
    [["ab", "ba"], "abba", true],
    [["a", "b", "c"], "axbxc", true],
    [["a", "b", "c"], "abc", true],
    [["a", "b", "c"], "ac", false],
    [["a", "c", "c"], "ac", false],
    [["a", "c", "c"], "acc", true],
    [["a", "b", "b", "c"], "abc", false],
    [["a", "b", "b", "c"], "abbc", true],
    [["a", "xy", "xy", "c"], "axyxc", false],
    [["a", "bc", "c"], "abc", false],
    [["", "a", ""], "b", false],
    [["", ""], "", true],
  ])("%j describes %j: %s", (pieces, text, described) => {
    expect(matchesStar(pieces, text)).toBe(described);
  });

  it.each([
    [["a"], ["a"], true],
    [["a"], ["b"], false],
    [["a"], ["a", ""], true],
    [["", "b"], ["a"], false],
    [["a", "x"], ["ab", "x"], true],
    [["ab", "x"], ["a", "x"], true],
    [["a", "x"], ["b", "x"], false],
    [["a", "xy"], ["a", "y"], true],
    [["a", "y"], ["a", "xy"], true],
    [["a", "yx"], ["a", "y"], false],
    [["a", "y"], ["a", "yx"], false],
    [["a", "m", ""], ["a", "n", ""], true],
  ])("%j and %j meet: %s", (a, b, meet) => {
    expect(starsMeet(a, b)).toBe(meet);
  });

  it("is written with backslashes before what is literal", () => {
    expect(piecesOf("a\\*b*c\\\\\\(\\)\\x\\")).toEqual(["a*b", "c\\()\\x\\"]);
    expect(piecesOf("")).toEqual([""]);
    expect(escapeSpecifier("a(b)*\\?[c]")).toBe("a\\(b\\)\\*\\\\?[c]");
    expect(escapePathSpecifier("a(b)*\\?[c]")).toBe("a\\(b\\)\\*\\\\\\?\\[c\\]");
  });
});

describe("a rule", () => {
  it.each([
    ["Bash", { toolName: "Bash" }],
    ["Bash(*)", { toolName: "Bash" }],
    ["Bash(a)", { toolName: "Bash", ruleContent: "a" }],
    ["Bash(a (b))", { toolName: "Bash", ruleContent: "a (b)" }],
    ["Bash(a\\))", { toolName: "Bash", ruleContent: "a\\)" }],
    ["Bash(a\\\\)", { toolName: "Bash", ruleContent: "a\\\\" }],
    ["deploy(a; b)", { toolName: "deploy", ruleContent: "a; b" }],
    ["Agent(helper)", { toolName: "Agent", ruleContent: "helper" }],
    ["", { error: "the rule is empty" }],
    ["  ", { error: "the rule is empty" }],
    ["(a)", { error: "no tool name stands before `(`" }],
    [" (a)", { error: "no tool name stands before `(`" }],
    ["Bash(a", { error: "`(` is never closed", toolName: "Bash" }],
    ["Bash(a\\)", { error: "`(` is never closed", toolName: "Bash" }],
    ["Bash)(", { error: "`(` is never closed", toolName: "Bash)" }],
    ["Bash(a) b", { error: "text stands behind the last `)`", toolName: "Bash" }],
    ["Bash(a)\\)", { error: "text stands behind the last `)`", toolName: "Bash" }],
    ["Bash()", { error: "the brackets are empty", toolName: "Bash" }],
    ["Bash( )", { error: "the brackets are empty", toolName: "Bash" }],
    ["Bash)", { error: "`)` stands without `(`", toolName: "Bash" }],
    [")", { error: "`)` stands without `(`", toolName: "" }],
    ["*(a)", { error: "`*` means every tool and takes no brackets", toolName: "*" }],
    ["mcp__a(b)", { error: "a rule for MCP tools takes no specifier", toolName: "mcp__a" }],
    ["WebFetch(a.com)", { error: "a WebFetch specifier reads `domain:<host>`", toolName: "WebFetch" }],
    ["Bash(:*)", { error: "there is nothing before the `*` at its end", toolName: "Bash" }],
    ["Agent(:*)", { error: "there is nothing before the `*` at its end", toolName: "Agent" }],
    ["deploy(:*)", { error: "there is nothing before the `*` at its end", toolName: "deploy" }],
  ])("reads %j as %j", (text, rule) => {
    expect(parseRule(text)).toEqual(rule);
  });

  it("is written as it is read", () => {
    expect(formatRule({ toolName: "Bash" })).toBe("Bash");
    expect(formatRule({ toolName: "Bash", ruleContent: "*" })).toBe("Bash");
    expect(formatRule({ toolName: "Bash", ruleContent: "a*" })).toBe("Bash(a*)");
  });
});
