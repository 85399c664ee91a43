import { posix, win32 } from "node:path";
import { describe, expect, it } from "vitest";
import { globRemovesRoot, type Root, removesRoot, systemRoots } from "./removes-root.ts";

const root = (given: string, what: string, real = given): Root => ({
  place: { given, real, hops: [] },
  what,
});
const roots = [
  root("/p/w", "the start directory /p/w", "/real/w"),
  root("/home/me", "the home directory /home/me"),
  root("/home/.hidden", "the home directory /home/.hidden"),
  root("/etc", "the system directory /etc"),
];
const why = (path: string) => removesRoot(posix, roots, path);
const whyGlob = (prefix: string, ...rest: string[]) => globRemovesRoot(posix, roots, prefix, rest);

describe("the roots of a system", () => {
  it("are its top folders", () => {
    const known = systemRoots(posix);
    expect(known).toContainEqual({
      place: { given: "/etc", real: "/etc", hops: [] },
      what: "the system directory /etc",
    });
    expect(known.every(({ place }) => /^\/\w+$/.test(place.given))).toBe(true);
    expect(systemRoots(win32).map(({ place }) => place.given)).toEqual([
      "C:\\Windows",
      "C:\\Users",
      "C:\\Program Files",
      "C:\\Program Files (x86)",
      "C:\\ProgramData",
    ]);
  });

  it("are found whatever the letter case", () => {
    expect(removesRoot(win32, systemRoots(win32), "c:\\windows")).toBe(
      "it is the system directory C:\\Windows",
    );
    expect(removesRoot(win32, systemRoots(win32), "C:\\")).toBe("it is the root of the disk, C:\\");
    expect(removesRoot(win32, systemRoots(win32), "D:\\x")).toBeUndefined();
  });
});

describe("a removal", () => {
  it.each([
    ["/", "it is the root of the disk, /"],
    ["/p/w", "it is the start directory /p/w"],
    ["/real/w", "it is the start directory /p/w"],
    ["/P/W", "it is the start directory /p/w"],
    ["/p", "it holds the start directory /p/w"],
    ["/real", "it holds the start directory /p/w"],
    ["/home", "it holds the home directory /home/me"],
    ["/etc", "it is the system directory /etc"],
    ["/p/w/a", undefined],
    ["/p/w2", undefined],
    ["/pp", undefined],
  ])("of %s: %s", (path, reason) => {
    expect(why(path)).toBe(reason);
  });

  it("names the root that is meant, not one below it", () => {
    const nested = [root("/a/b", "inner"), root("/a", "outer")];
    expect(removesRoot(posix, nested, "/a")).toBe("it is outer");
  });
});

describe("a removal of a pattern", () => {
  const couldMatch = (what: string) => `its pattern could match ${what} or a directory above it`;
  const start = couldMatch("the start directory /p/w");
  const home = couldMatch("the home directory /home/me");
  const hidden = couldMatch("the home directory /home/.hidden");

  it.each([
    ["/p/w", ["*"], "its pattern means all there is in /p/w, and that is the start directory /p/w"],
    ["/p", ["*"], "its pattern means all there is in /p, and that holds the start directory /p/w"],
    ["/p/w", [".*"], "its pattern means all there is in /p/w, and that is the start directory /p/w"],
    ["/p/w", ["**"], "its pattern means all there is in /p/w, and that is the start directory /p/w"],
    ["/p/w", ["[!.]*", "*"], "its pattern means all there is in /p/w, and that is the start directory /p/w"],
    ["/p/w", ["*", ".."], "its pattern goes up again behind a wildcard"],
  ])("%s with %j: %s", (prefix, rest, reason) => {
    expect(whyGlob(prefix, ...rest)).toBe(reason);
  });

  it.each([
    ["/p", ["w*"], start],
    ["/p", ["W*"], start],
    ["/real", ["?"], start],
    ["/", ["r*"], start],
    ["/", ["r*", "w"], start],
    ["/", ["h?me", "m?"], home],
    ["/HOME", ["m*"], home],
    ["/home", ["*dden"], hidden],
    ["/", ["h*", "**", "x"], home],
    ["/", ["**", "x"], start],
  ])("%s with %j could match a root", (prefix, rest, reason) => {
    expect(whyGlob(prefix, ...rest)).toBe(reason);
  });

  it.each([
    ["/p", ["?", "*"], start],
    ["/p", ["w*", "**"], start],
    ["/", ["h?me", "me", "*"], home],
    ["/", ["h?me", "me", "*", ".*"], home],
  ])("%s with %j could empty a root", (prefix, rest, reason) => {
    expect(whyGlob(prefix, ...rest)).toBe(reason);
  });

  it.each([
    ["/p/w", ["x*"]],
    ["/p/w", [".W*"]],
    ["/p/w", ["*.log"]],
    ["/p/w", ["**", "x"]],
    ["/p/w", ["x?", "*"]],
    ["/p/w/a", ["*"]],
    ["/p/w/a", ["**", "x"]],
    ["/x", ["w*"]],
    ["/p", ["x*"]],
    ["/p", ["w*", "x*"]],
    ["/p", ["?", "*", "x"]],
    ["/", ["h*", "you*"]],
    ["/", ["m?", "h?me"]],
  ])("%s with %j does neither", (prefix, rest) => {
    expect(whyGlob(prefix, ...rest)).toBeUndefined();
  });
});
