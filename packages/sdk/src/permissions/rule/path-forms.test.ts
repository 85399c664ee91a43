import { describe, expect, it } from "vitest";
import { contextOf } from "../test-kit.ts";
import { componentsOf } from "./fold.ts";
import { coversDescribed, matchesPath, namesItself, patternMayMeet } from "./path-match.ts";
import { type PathPattern, parsePathPattern } from "./path-pattern.ts";
import { DEEP, parseSegment, type Segment } from "./segment.ts";

function parsed(text: string, binds = false) {
  return parsePathPattern(text, { source: "policySettings", binds, context: contextOf() });
}
function pattern(text: string, binds = false): PathPattern {
  const found = parsed(text, binds);
  if (found === undefined || "error" in found) throw new Error(text);
  return found;
}
const segments = (text: string): Segment[] => componentsOf(text).map((part) => parseSegment(part, false));
const shown = (list: readonly Segment[]): string =>
  list
    .map((each) => (each.kind === "deep" ? "**" : each.kind === "literal" ? each.text : each.source))
    .join("/");

describe("the form of a path pattern", () => {
  it.each([
    ["//a/b", ["a/b/**"], "a/b", false, false],
    ["//a/b/", ["a/b/**"], "a/b", true, true],
    ["//a/**", ["a/**"], "a", false, true],
    ["//a/**/**", ["a/**"], "a", false, true],
    ["//a/**/b", ["a/**/b/**"], "a/**/b", false, false],
    ["//a/*.ts", ["a/*.ts"], "a/*.ts", false, false],
    ["//a/./b//c", ["a/b/c/**"], "a/b/c", false, false],
    ["//a/../b", ["b/**"], "b", false, false],
    ["//a\\/b", ["a/b/**"], "a/b", false, false],
    ["//**", ["**"], "", false, true],
  ])("of %j is %j", (text, lists, written, directoryOnly, container) => {
    const found = pattern(text);
    expect(found.lists.map(shown)).toEqual(lists);
    expect(shown(found.written)).toBe(written);
    expect({ directoryOnly: found.directoryOnly, container: found.container }).toEqual({
      directoryOnly,
      container,
    });
  });

  it("counts below for what binds, whatever its end", () => {
    expect(pattern("//a/*.ts", true).lists.map(shown)).toEqual(["a/*.ts/**"]);
    expect(pattern("//a/b/", true)).toMatchObject({ directoryOnly: false, container: true });
    expect(pattern("name", true).lists.map(shown)).toEqual(["**/name/**"]);
  });

  it("is none of these", () => {
    expect(parsed("!a")).toBeUndefined();
    expect(parsed("//a/*/../b")).toEqual({ error: "`..` stands behind a wildcard" });
    expect(parsed("//**/../b")).toEqual({ error: "`..` stands behind a wildcard" });
    expect(shown(pattern("//../a").lists[0] ?? [])).toBe("a/**");
  });
});

describe("a path that a pattern names", () => {
  const names = (text: string, path: string, directory?: boolean, binds = false) =>
    matchesPath(pattern(text, binds), componentsOf(path), directory);

  it.each([
    ["//a/**", "/a/b/c", true],
    ["//a/**", "/a", true],
    ["//a/**", "/b", false],
    ["//a/**/c/**", "/a/c", true],
    ["//a/**/c/**", "/a/b/b/c/d", true],
    ["//a/**/c/d", "/a/c/x/c/d", true],
    ["//a/**/c/d", "/a/c/x/d", false],
    ["//**/b", "/a/b/c", true],
    ["//a/*.ts", "/a/x.ts", true],
    ["//a/*.ts", "/a/x.ts/y", false],
    ["//a", "/", false],
  ])("%j names %j: %s", (text, path, named) => {
    expect(names(text, path)).toBe(named);
  });

  it("is a directory where the pattern ends in a slash", () => {
    expect(names("//a/", "/a", true)).toBe(true);
    expect(names("//a/", "/a", false)).toBe(false);
    expect(names("//a/", "/a")).toBe(false);
    expect(names("//a/", "/a/b", false)).toBe(true);
  });

  it("is itself meant, or only lies below", () => {
    const itself = (text: string, path: string) => namesItself(pattern(text, true), componentsOf(path));
    expect(itself("//a/b", "/a/b")).toBe(true);
    expect(itself("//a/b", "/a/b/c")).toBe(false);
    expect(itself("//a/*", "/a/b")).toBe(true);
    expect(itself("//a/*", "/a/b/c")).toBe(false);
    expect(namesItself(pattern("//a/*.ts"), componentsOf("/a/x.ts"))).toBe(true);
    expect(namesItself({ ...pattern("//a"), lists: [] }, ["a"])).toBe(true);
    expect(namesItself({ ...pattern("//a"), lists: [[], [DEEP]] }, ["a", "b"])).toBe(false);
  });
});

describe("a path that is described", () => {
  const list = (text: string): PathPattern => ({ ...pattern("//x"), lists: [segments(text)] });

  it.each([
    ["a/b", "a/b", true],
    ["a/b", "a/c", false],
    ["a/b", "a", false],
    ["a", "a/b", false],
    ["a/*", "a/b", true],
    ["*/b", "a/*", true],
    ["a/**", "a", true],
    ["a", "a/**", true],
    ["a/**", "a/b/c", true],
    ["a/b/c", "a/**", true],
    ["a/**/c", "a/b", false],
    ["a/**/c", "a/**/d", false],
    ["a/**/c", "a/b/**/c", true],
    ["**/c", "a/**", true],
    ["**", "a/b", true],
    ["**", "", true],
    ["", "**", true],
    ["", "**/a", false],
    ["**/a", "", false],
    ["**/**", "a", true],
    ["a/**/b/**", "**/b", true],
    ["a/**/x/b", "a/**/y/b", false],
    ["a/b/**", "a/**/b", true],
    ["a/b", "**/**/b", true],
    ["a/b", "**/c/**", false],
  ])("%j could be one of %j: %s", (a, b, meets) => {
    expect(patternMayMeet(list(a), segments(b))).toBe(meets);
    expect(patternMayMeet(list(b), segments(a))).toBe(meets);
  });

  it.each([
    ["a/b", "a/b", true],
    ["a/*", "a/b", true],
    ["a/*", "a/b*", true],
    ["a/b*", "a/b*", true],
    ["a/b*", "a/bc", true],
    ["a/b*", "a/*", false],
    ["a/b", "a/*", false],
    ["a/**", "a/**", true],
    ["a/**", "a/b/*", true],
    ["a/**", "a", true],
    ["a/*", "a/**", false],
    ["a/*", "a", false],
    ["a", "a/b", false],
    ["a/b/c", "a/b", false],
    ["**/b", "a/b", true],
    ["**/b", "x/b/a/b", true],
    ["**/b", "a/c", false],
    ["**/a/b", "a/x/a/b", true],
    ["**", "", true],
    ["x/**/b", "a/b", false],
    ["*", "**", false],
  ])("%j covers all of %j: %s", (a, b, covers) => {
    expect(coversDescribed(list(a), segments(b))).toBe(covers);
  });
});
