import { posix, win32 } from "node:path";
import { describe, expect, it } from "vitest";
import { foldName } from "./fold-name.ts";
import { below, namesOf, pathLibrary } from "./path-rules.ts";

describe("the rules of paths", () => {
  it("are those of the system", () => {
    expect(pathLibrary("win32")).toBe(win32);
    expect(pathLibrary("linux")).toBe(posix);
    expect(pathLibrary("darwin")).toBe(posix);
  });

  it.each([
    ["/a//b/./c/../d/", ["a", "b", "c", "..", "d"]],
    ["/", []],
    ["//", []],
    ["/a\\b", ["a\\b"]],
    ["/.a/...", [".a", "..."]],
  ])("name the parts of %j", (path, names) => {
    expect(namesOf(posix, path)).toEqual(names);
  });

  it.each([
    ["C:\\a\\\\b/c", ["a", "b", "c"]],
    ["C:\\", []],
    ["\\\\server\\share\\a\\.\\b", ["a", "b"]],
  ])("name the parts of %j on Windows", (path, names) => {
    expect(namesOf(win32, path)).toEqual(names);
  });

  it.each([
    ["/w", "/w", ""],
    ["/w", "/w/a/b", "a/b"],
    ["/w/", "/w/a", "a"],
    ["/", "/a", "a"],
    ["/", "/", ""],
    ["/w", "/wx", undefined],
    ["/w/a", "/w", undefined],
    ["/w", "/x/w", undefined],
  ])("below %j lies of %j: %j", (directory, path, rest) => {
    expect(below(posix, directory, path)).toBe(rest);
  });

  it("know what lies below on Windows", () => {
    expect(below(win32, "C:\\w", "C:\\w\\a")).toBe("a");
    expect(below(win32, "C:\\", "C:\\w")).toBe("w");
    expect(below(win32, "C:\\w", "C:\\wa")).toBeUndefined();
  });
});

describe("folding a name", () => {
  it.each([
    ["A", "a"],
    ["a. .", "a"],
    ["a::$DATA", "a"],
    ["a:b", "a"],
    ["a\u200db", "ab"],
    ["e\u0301", "\u00e9"],
    // What is nothing but an ending keeps it.
    ["..", ".."],
    ["...", "..."],
    [":x", ":x"],
  ])("makes %j %j", (name, folded) => {
    expect(foldName(name)).toBe(folded);
  });
});
