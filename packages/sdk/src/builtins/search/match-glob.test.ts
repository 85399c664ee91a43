import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { isTooWide, matchGlob, matchNames, splitPatterns } from "./match-glob.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);

describe("matchGlob", () => {
  it.each([
    ["**/*.ts", "a.ts", true],
    ["**/*.ts", "x/y/a.ts", true],
    ["**/*.ts", "x/.y/a.ts", false],
    ["*.ts", "x/a.ts", false],
    ["*.ts", ".ts", false],
    ["a/**", "a/b/c", true],
    ["a/**", "a", false],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["**", "a/b", true],
    ["*/**/x", "a/x", true],
    ["src/{a,b/c}/*.ts", "src/b/c/x.ts", true],
    ["{a,{b,c}d}.js", "cd.js", true],
    ["f{1..3}.txt", "f2.txt", true],
    ["f{1..3}.txt", "f4.txt", false],
    ["{x}.txt", "{x}.txt", true],
    ["[!a].ts", "b.ts", true],
    ["[!a].ts", "a.ts", false],
    ["[^a-c]x", "dx", true],
    ["[[:upper:]]*", "Ab", true],
    ["[]x]", "]", true],
    ["[a", "[a", true],
    ["?.ts", "😀.ts", true],
    ["app/(group)/*.tsx", "app/(group)/page.tsx", true],
    ["a\\*b", "a*b", true],
    ["a\\*b", "axb", false],
    [".*", ".env", true],
    ["*", ".env", false],
    ["[.]env", ".env", false],
    ["./a", "a", true],
    ["*\u00e9*", "re\u0301sume", true],
    ["re\u0301*", "r\u00e9sume", true],
    ["*\u00e9*", "resume", false],
  ])("%s on %s: %s", (pattern, path, result) => {
    expect(matchGlob(pattern)(path)).toBe(result);
  });

  it("agrees with picomatch on plain patterns", () => {
    const part = fc.constantFrom("a", "b", "*", "?", "a*", "*b", "**", "{a,b}", ".a", "[ab]", "a?b");
    const name = fc.constantFrom("a", "b", "ab", "aab", ".a", "axb", ".b");
    const property = fc.property(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.array(name, { minLength: 1, maxLength: 4 }),
      (parts, names) => {
        // Two ways to read `**` as the last part, and a doubled one, are left out.
        fc.pre(parts.at(-1) !== "**" && !parts.join("/").includes("**/**"));
        const path = names.join("/");
        expect(matchGlob(parts.join("/"))(path)).toBe(picomatch(parts.join("/"), { nonegate: true })(path));
      },
    );
    fc.assert(property, { numRuns: runs * 5 });
  });

  it("ends, whatever the pattern", () => {
    expect(matchGlob(`${"*a".repeat(60)}b`)("a".repeat(250))).toBe(false);
    expect(matchGlob(`${"**/".repeat(60)}b`)("a/".repeat(120))).toBe(false);
    expect(isTooWide("{a,b}".repeat(12))).toBe(true);
    expect(isTooWide("{1..999999}")).toBe(true);
    expect(isTooWide(`${"{a,".repeat(50)}b${"}".repeat(50)}`)).toBe(false);
    expect(matchGlob("{a,b}".repeat(12))("a".repeat(12))).toBe(false);
  });
});

describe("matchNames", () => {
  it.each([
    ["*.log", "x/y/a.log", true],
    ["node_modules", "node_modules", true],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "x/src/a.ts", false],
    ["/top.txt", "top.txt", true],
    ["/top.txt", "x/top.txt", false],
    ["dir/", "dir/a/b", true],
    ["*.env", ".env", true],
    ["**/x", ".a/x", true],
  ])("%s on %s: %s", (pattern, path, result) => {
    expect(matchNames(pattern)(path)).toBe(result);
  });
});

it("splits lists at commas outside braces", () => {
  expect(splitPatterns("*.ts, *.{js,jsx},!a\\,b")).toEqual(["*.ts", "*.{js,jsx}", "!a\\,b"]);
});
