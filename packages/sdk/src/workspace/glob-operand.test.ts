import { describe, expect, it } from "vitest";
import { cutGlob, hasWildcard } from "./glob-operand.ts";

describe("cutting a pattern", () => {
  it.each([
    ["a/b/*.ts", "a/b", ["*.ts"]],
    ["a/*/b/c", "a", ["*", "b", "c"]],
    ["*", "", ["*"]],
    ["*/x", "", ["*", "x"]],
    ["/*", "/", ["*"]],
    ["/etc/pass?", "/etc", ["pass?"]],
    ["/etc/h*", "/etc", ["h*"]],
    ["a//b/[c]", "a//b", ["[c]"]],
    ["a/*/./b", "a", ["*", "b"]],
    ["a/*//b", "a", ["*", "b"]],
    ["a/*/../b", "a", ["*", "..", "b"]],
    ["a/*/", "a", ["*"]],
    ["a\\*/b\\c/*", "a*/bc", ["*"]],
    ["a\\*/*\\*", "a*", ["*\\*"]],
    // Without a wildcard the last part is the name.
    ["a/b", "a", ["b"]],
    ["a/b//", "a", ["b"]],
    ["a", "", ["a"]],
    ["/a", "/", ["a"]],
    ["/", "/", ["*"]],
    ["", "", ["*"]],
    ["a/.", "a", ["*"]],
  ])("%j starts in %j", (pattern, prefix, rest) => {
    expect(cutGlob(pattern)).toEqual({ prefix, rest });
  });

  it.each([
    ["*", true],
    ["a?", true],
    ["a[b", true],
    ["a\\**", true],
    ["\\\\*", true],
    ["a\n*", true],
    ["a\\\n*", true],
    ["a", false],
    ["", false],
    ["a\\*", false],
    ["\\?\\[", false],
    ["a\\", false],
    ["{a,b}]", false],
  ])("%j has a wildcard: %s", (part, has) => {
    expect(hasWildcard(part)).toBe(has);
  });
});
