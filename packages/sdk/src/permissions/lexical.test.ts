import { describe, expect, it } from "vitest";
import type { ResolvedPathTarget, Target } from "../protocol/index.ts";
import { lexicalTarget } from "./lexical.ts";

const PLACES = { startDirectory: "/w/proj", projectRoot: "/w", home: "/home/u" };

type Path = Extract<Target, { kind: "path" }>;

function resolved(path: string, over: Partial<Path> = {}, places = PLACES): ResolvedPathTarget {
  const target = lexicalTarget({ kind: "path", access: "read", path, ...over }, places);
  if (target.kind !== "path") throw new Error(target.kind);
  return target;
}

function given(path: string, over: Partial<Path> = {}): string[] {
  return resolved(path, over).resolutions.map((each) => each.given);
}

describe("a path by its text alone", () => {
  it.each<[string, Partial<Path>, string[]]>([
    ["a", {}, ["/w/proj/a"]],
    ["./a//b/.", {}, ["/w/proj/a/b"]],
    ["../a/../b", {}, ["/w/b"]],
    ["/etc/../x", {}, ["/x"]],
    ["../../../../x", {}, ["/x"]],
    ["~", {}, ["/home/u"]],
    ["~/a", {}, ["/home/u/a"]],
    ["~a", {}, ["/w/proj/~a"]],
    ["./~", {}, ["/w/proj/~"]],
    [
      "a",
      { from: ["", "b", "/c", "~/d", "../e"] },
      ["/w/proj/a", "/w/proj/b/a", "/c/a", "/home/u/d/a", "/w/e/a"],
    ],
    ["/a", { from: ["b"] }, ["/a"]],
    ["a", { base: "repository" }, ["/w/a"]],
    ["$X", { unknown: true }, []],
    ["a/*", { glob: true }, ["/w/proj/a"]],
    ["a/b?/c", { glob: true }, ["/w/proj/a"]],
    ["a/[b]/c", { glob: true }, ["/w/proj/a"]],
    ["*", { glob: true }, ["/w/proj"]],
    ["/*", { glob: true }, ["/"]],
    ["/a*/b", { glob: true }, ["/"]],
    ["a/b", { glob: true }, ["/w/proj/a/b"]],
    ["a\\*/b*", { glob: true }, ["/w/proj/a*"]],
    ["a\\\\/b*", { glob: true }, ["/w/proj/a\\"]],
    ["a*", {}, ["/w/proj/a*"]],
  ])("%s %j: %j", (path, over, want) => {
    expect(given(path, over)).toEqual(want);
  });

  it("is inside by its text, exists, and leads nowhere else", () => {
    const one = (path: string, places = PLACES): unknown => resolved(path, {}, places).resolutions[0];
    const plain = { hops: [], exists: true };
    expect(one("a")).toEqual({ ...plain, given: "/w/proj/a", real: "/w/proj/a", inside: true });
    expect(one("a/")).toEqual({
      ...plain,
      given: "/w/proj/a",
      real: "/w/proj/a",
      inside: true,
      directory: true,
    });
    expect(one(".")).toMatchObject({ given: "/w/proj", inside: true });
    expect(one("..")).toMatchObject({ given: "/w", inside: false });
    expect(one("../project")).toMatchObject({ given: "/w/project", inside: false });
    expect(one("/x/w/proj/")).toMatchObject({ inside: false });
    expect(one("/etc", { ...PLACES, startDirectory: "/" })).toMatchObject({ given: "/etc", inside: true });
  });

  it("leaves what is no path as it is", () => {
    const host: Target = { kind: "host", host: "a.b" };
    expect(lexicalTarget(host, PLACES)).toBe(host);
    expect(resolved("a", { access: "write", recursive: true })).toMatchObject({
      access: "write",
      recursive: true,
    });
  });
});
