import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../../test/setup/runs.ts";
import type { PermissionContext, RuleSource } from "../../protocol/index.ts";
import { componentsOf, foldPath } from "./fold.ts";
import { coversDescribed, matchesPath, patternMayMeet } from "./path-match.ts";
import { type PathPattern, parsePathPattern } from "./path-pattern.ts";
import { DEEP, parseSegment, type Segment } from "./segment.ts";

const context: PermissionContext = {
  mode: "default",
  startDirectory: "/w/proj/pkg",
  startDirectoryReal: "/real/proj/pkg",
  projectRoot: "/w/proj",
  home: "/home/u",
  additionalDirectories: new Map([["/extra", "cliArg"]]),
  rules: [],
  isBypassAvailable: false,
  planMode: "ceiling",
  avoidPrompts: false,
  trusted: true,
  caseInsensitiveFiles: false,
};

function pattern(
  text: string,
  binds: boolean,
  source: RuleSource = "projectSettings",
  over = {},
): PathPattern {
  const parsed = parsePathPattern(text, { source, binds, context: { ...context, ...over } });
  if (parsed === undefined || "error" in parsed) throw new Error(`no pattern: ${text}`);
  return parsed;
}

function names(
  text: string,
  path: string,
  binds: boolean,
  source?: RuleSource,
  directory?: boolean,
): boolean {
  const own = pattern(text, binds, source);
  return matchesPath(own, componentsOf(own.folded ? foldPath(path) : path), directory);
}

describe("anchors", () => {
  it("of what binds is the person's own home as well, where the shell has another", () => {
    const over = { ownHome: "/home/own" };
    for (const [text, source] of [
      ["~/x", "session"],
      ["/x", "userSettings"],
    ] as const) {
      const hits = (path: string, binds: boolean): boolean =>
        matchesPath(pattern(text, binds, source, over), componentsOf(path), undefined);
      expect([hits("/home/u/x", true), hits("/home/own/x", true)]).toEqual([true, true]);
      expect([hits("/home/u/x", false), hits("/home/own/x", false)]).toEqual([true, false]);
    }
  });

  it.each<[string, RuleSource, string, boolean, boolean]>([
    // pattern, source, path, allow, deny
    ["//w/other/**", "session", "/w/other/o.txt", true, true],
    ["//w/other/**", "session", "/x/w/other/o.txt", false, false],
    ["~/x.txt", "session", "/home/u/x.txt", true, true],
    ["~/x.txt", "session", "/w/proj/pkg/x.txt", false, false],
    ["/src/**", "projectSettings", "/w/proj/src/a", true, true],
    ["/src/**", "projectSettings", "/real/proj/src/a", true, true],
    ["/src/**", "projectSettings", "/w/proj/pkg/src/a", false, false],
    ["/src/**", "session", "/w/proj/src/a", true, true],
    ["/src/**", "userSettings", "/home/u/src/a", true, true],
    ["/src/**", "userSettings", "/w/proj/src/a", false, false],
    ["/etc/**", "policySettings", "/etc/passwd", true, true],
    ["./src/**", "session", "/w/proj/pkg/src/a", true, true],
    ["./src/**", "session", "/real/proj/pkg/src/a", true, true],
    ["./src/**", "session", "/w/proj/src/a", false, false],
    ["src/x.ts", "session", "/w/proj/pkg/src/x.ts", true, true],
    ["src/x.ts", "session", "/w/proj/pkg/a/src/x.ts", false, false],
    ["../other/**", "session", "/w/proj/other/a", true, true],
    [".env", "session", "/w/proj/pkg/a/.env", true, true],
    [".env", "session", "/extra/.env", true, true],
    [".env", "session", "/elsewhere/.env", false, true],
    ["*.pem", "session", "/elsewhere/a.pem", false, true],
    ["**/token", "userSettings", "/w/proj/pkg/internal/token/token.go", true, true],
    ["**", "session", "/elsewhere/a", false, true],
    ["**", "session", "/w/proj/pkg/a", true, true],
    ["node_modules/", "session", "/w/proj/pkg/a/node_modules/b", true, true],
    ["C:/x/**", "session", "C:\\x\\y", true, true],
  ])("%s of %s on %s: allow %s, deny %s", (text, source, path, allow, deny) => {
    expect(names(text, path, false, source)).toBe(allow);
    expect(names(text, path, true, source)).toBe(deny);
  });
});

it("counts anchors with their links followed as well", () => {
  const realForms = new Map([
    ["/home/u", "/var/home/u"],
    ["/extra", "/mnt/extra"],
    ["/w/proj", "/data/proj"],
  ]);
  const real = (text: string, source: RuleSource, path: string, binds: boolean): boolean => {
    const own = pattern(text, binds, source, { realForms });
    return matchesPath(own, componentsOf(path), undefined);
  };
  for (const binds of [true, false]) {
    expect(real("~/.ssh/**", "session", "/var/home/u/.ssh/id", binds)).toBe(true);
    expect(real("~/.ssh/**", "session", "/home/u/.ssh/id", binds)).toBe(true);
    expect(real("/x", "userSettings", "/var/home/u/x", binds)).toBe(true);
    expect(real("/x", "projectSettings", "/data/proj/x", binds)).toBe(true);
    expect(real("a.md", "session", "/mnt/extra/b/a.md", binds)).toBe(true);
  }
});

describe("what a pattern covers", () => {
  it.each<[string, string, boolean, boolean]>([
    ["./x/**", "/w/proj/pkg/x", true, true],
    ["./x/**", "/w/proj/pkg/x/a/b", true, true],
    ["./x/**", "/w/proj/pkg/xy", false, false],
    ["./x", "/w/proj/pkg/x/a/b", true, true],
    ["./x/*", "/w/proj/pkg/x/a", true, true],
    ["./x/*", "/w/proj/pkg/x/a/b", false, true],
    ["./x/*", "/w/proj/pkg/x", false, false],
    ["./x/*.ts", "/w/proj/pkg/x/d.ts/e", false, true],
    ["./a/**/b", "/w/proj/pkg/a/b", true, true],
    ["./a/**/b", "/w/proj/pkg/a/x/y/b/c", true, true],
    ["./src/../lib/x", "/w/proj/pkg/lib/x", true, true],
    ["./src//x", "/w/proj/pkg/src/x", true, true],
    [".", "/w/proj/pkg/deep/x", true, true],
    ["./SRC/x", "/w/proj/pkg/src/X", false, true],
    ["./a\\*b", "/w/proj/pkg/a*b", true, true],
    ["./a\\*b", "/w/proj/pkg/axb", false, false],
    ["./\\(g\\)/x", "/w/proj/pkg/(g)/x", true, true],
    ["./app/[id]/x", "/w/proj/pkg/app/[id]/x", false, true],
    ["./app/\\[id\\]/x", "/w/proj/pkg/app/[id]/x", true, true],
    ["./stra\u00dfe", "/w/proj/pkg/STRASSE", false, true],
    ["./caf\u00e9", "/w/proj/pkg/cafe\u0301", false, true],
  ])("%s on %s: allow %s, deny %s", (text, path, allow, deny) => {
    expect(names(text, path, false)).toBe(allow);
    expect(names(text, path, true)).toBe(deny);
  });

  it("counts `x/` of an allow rule only for a directory and what is in it", () => {
    expect(names("./x/", "/w/proj/pkg/x", false)).toBe(false);
    expect(names("./x/", "/w/proj/pkg/x", false, "session", true)).toBe(true);
    expect(names("./x/", "/w/proj/pkg/x/a", false)).toBe(true);
    expect(names("./x/", "/w/proj/pkg/x", true)).toBe(true);
  });

  it("compares allow rules without case where the disk does", () => {
    const own = pattern("./Src/x", false, "session", { caseInsensitiveFiles: true });
    expect(matchesPath(own, componentsOf(foldPath("/w/proj/pkg/src/X")), undefined)).toBe(true);
  });

  it("matches nothing with `!`, and refuses `..` behind a wildcard", () => {
    expect(parsePathPattern("!x", { source: "session", binds: true, context })).toBeUndefined();
    expect(parsePathPattern("./*/../x", { source: "session", binds: true, context })).toHaveProperty("error");
  });
});

describe("patterns against what a walk or a shell pattern may be", () => {
  const described = (path: string, deep = false): Segment[] => [
    ...path
      .split("/")
      .filter((part) => part !== "")
      .map((part) => parseSegment(part, false)),
    ...(deep ? [DEEP] : []),
  ];

  it.each<[string, string, boolean, boolean, boolean]>([
    // pattern, described, tree, may meet, covers
    ["./src/**", "/w/proj/pkg/src/*", false, true, true],
    ["./src/**", "/w/proj/pkg", true, true, false],
    ["./src/**", "/w/proj/other", true, false, false],
    ["./.env", "/w/proj/pkg/.e*", false, true, false],
    ["./.env", "/w/proj/pkg/*.md", false, false, false],
    ["*.pem", "/w/proj/pkg/*.pem", false, true, true],
    ["*.pem", "/w/proj/pkg/*.key", false, false, false],
    ["*.pem", "/w/proj/pkg/*.key", true, true, false],
    ["**/token", "/w/proj/pkg/*/tok*", false, true, false],
    ["//etc/**", "/e*/passwd", false, true, false],
    ["//etc/**", "/etc/*/x", false, true, true],
  ])("%s against %s (tree %s): may meet %s, covers %s", (text, path, deep, meets, covers) => {
    const own = pattern(text, true);
    expect(patternMayMeet(own, described(path, deep))).toBe(meets);
    expect(coversDescribed(own, described(path, deep))).toBe(covers);
  });

  it("may meet whatever it names, and covers only what it names", () => {
    const part = fc.constantFrom("a", "b", "*", "?", "a*", "**");
    const name = fc.constantFrom("a", "b", "ab");
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.array(name, { minLength: 1, maxLength: 5 }),
        (own, other, path) => {
          const left = pattern(`//${own.join("/")}`, true);
          const right = pattern(`//${other.join("/")}`, false);
          const list = right.lists[0] ?? [];
          const both = matchesPath(left, path, undefined) && matchesPath(right, path, undefined);
          if (both) expect(patternMayMeet(left, list)).toBe(true);
          if (coversDescribed(left, list) && matchesPath(right, path, undefined)) {
            expect(matchesPath(left, path, undefined)).toBe(true);
          }
        },
      ),
      { numRuns: runs * 5 },
    );
  });

  it("names at least as much for deny as for allow", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "A", "*", "?", "/", ".", "[", "]", "~", "\\"),
      minLength: 1,
      maxLength: 8,
    });
    const path = fc.array(fc.constantFrom("a", "A", "w", "proj", "pkg", "home", "u"), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(text, path, (own, parts) => {
        const allow = parsePathPattern(own, { source: "session", binds: false, context });
        const deny = parsePathPattern(own, { source: "session", binds: true, context });
        if (allow === undefined || "error" in allow || deny === undefined || "error" in deny) return;
        const full = `/${parts.join("/")}`;
        if (matchesPath(allow, componentsOf(full), undefined)) {
          expect(matchesPath(deny, componentsOf(foldPath(full)), undefined)).toBe(true);
        }
      }),
      { numRuns: runs * 5 },
    );
  });
});
