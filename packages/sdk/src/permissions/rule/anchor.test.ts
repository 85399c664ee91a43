import { describe, expect, it } from "vitest";
import type { PermissionContext, RuleSource } from "../../protocol/index.ts";
import { contextOf } from "../test-kit.ts";
import { anchorOf } from "./anchor.ts";

const START = "/w/proj/sub";
const context = (over: Partial<PermissionContext> = {}): PermissionContext =>
  contextOf(
    {},
    { startDirectory: START, startDirectoryReal: START, projectRoot: "/w/proj", home: "/home/u", ...over },
  );
const anchor = (
  pattern: string,
  {
    binds = false,
    source = "session" as RuleSource,
    slashRoot = undefined as string | undefined,
    ...over
  } = {},
  more: Partial<PermissionContext> = over,
) => {
  const { bases, ...rest } = anchorOf(pattern, { source, slashRoot }, binds, context(more));
  return { bases: bases.map((base) => `/${base.join("/")}`), ...rest };
};
const fixed = (rest: string, ...bases: string[]) => ({ bases, floating: false, rest });
const floating = (rest: string, ...bases: string[]) => ({ bases, floating: true, rest });

describe("where a path pattern starts", () => {
  it.each([
    ["//a/b", fixed("a/b", "/")],
    ["C:\\a\\b", fixed("C:/a/b", "/")],
    ["c:/a", fixed("c:/a", "/")],
    ["~", fixed("", "/home/u")],
    ["~/a", fixed("a", "/home/u")],
    ["/a/b", fixed("a/b", "/w/proj")],
    [".", fixed("", START)],
    ["./a", fixed("a", START)],
    ["..", fixed("..", START)],
    ["../", fixed("../", START)],
    ["../a", fixed("../a", START)],
    ["a/b", fixed("a/b", START)],
    ["a/b/", fixed("a/b/", START)],
    ["xC:/a", fixed("xC:/a", START)],
    ["a./", floating("a./", START)],
    ["a", floating("a", START)],
    ["a/", floating("a/", START)],
    ["~a", floating("~a", START)],
    ["**/a", floating("**/a", START)],
    ["**/a/b", floating("**/a/b", START)],
    ["a/**/", fixed("a/**/", START)],
    ["a/**/b", fixed("a/**/b", START)],
    ["..a", floating("..a", START)],
  ])("of %j is %j", (pattern, found) => {
    expect(anchor(pattern)).toEqual(found);
  });

  it("is anywhere for a bare name that binds", () => {
    expect(anchor("a", { binds: true })).toEqual(floating("a", "/"));
    expect(anchor("**/a/b", { binds: true })).toEqual(floating("**/a/b", "/"));
    expect(anchor("a/b", { binds: true })).toEqual(fixed("a/b", START));
  });

  it("is each working directory for a bare name that allows, in each of its forms", () => {
    const more = {
      startDirectoryReal: "/real/proj/sub",
      additionalDirectories: new Map([
        ["/data", "session"],
        ["/link", "session"],
      ]) as never,
      realForms: new Map([["/link", "/target"]]),
    };
    expect(anchor("a", {}, more)).toEqual(
      floating("a", START, "/real/proj/sub", "/data", "/link", "/target"),
    );
  });

  it("is the home as it is named and as it lies; for what binds the person's own too", () => {
    const more = { ownHome: "/home/me", realForms: new Map([["/home/u", "/disk/u"]]) };
    expect(anchor("~/a", {}, more)).toEqual(fixed("a", "/home/u", "/disk/u"));
    expect(anchor("~/a", { binds: true }, more)).toEqual(fixed("a", "/home/u", "/disk/u", "/home/me"));
    expect(anchor("~/a", { binds: true }, {})).toEqual(fixed("a", "/home/u"));
    expect(anchor("/a", { source: "userSettings" }, more)).toEqual(fixed("a", "/home/u", "/disk/u"));
  });
});

describe("a single slash", () => {
  it("is the root of the rule's source", () => {
    expect(anchor("/a", { source: "policySettings" })).toEqual(fixed("a", "/"));
    expect(anchor("/a", { source: "projectSettings" })).toEqual(fixed("a", "/w/proj"));
    expect(anchor("/a", { source: "userSettings" })).toEqual(fixed("a", "/home/u"));
    expect(anchor("/a", { slashRoot: "/" })).toEqual(fixed("a", "/"));
    expect(anchor("/a", { slashRoot: "/q" }, { realForms: new Map([["/q", "/r"]]) })).toEqual(
      fixed("a", "/q", "/r"),
    );
  });

  it("is the project also as it lies, where that can be known", () => {
    const known = (over: Partial<PermissionContext>) => anchor("/a", {}, over).bases;
    expect(known({ realForms: new Map([["/w/proj", "/disk/p"]]) })).toEqual(["/w/proj", "/disk/p"]);
    expect(known({ startDirectoryReal: "/real/p/sub" })).toEqual(["/w/proj", "/real/p"]);
    expect(known({ startDirectoryReal: "/sub" })).toEqual(["/w/proj", "/"]);
    expect(known({ startDirectory: "/w/proj", startDirectoryReal: "/real" })).toEqual(["/w/proj", "/real"]);
    // A link between the project and the start directory: nothing is known.
    expect(known({ startDirectoryReal: "/real/p/other" })).toEqual(["/w/proj"]);
    expect(known({ startDirectoryReal: "/" })).toEqual(["/w/proj"]);
    const deep = { startDirectory: "/w/proj/a/b" };
    expect(known({ ...deep, startDirectoryReal: "/real/p/a/b" })).toEqual(["/w/proj", "/real/p"]);
    expect(known({ ...deep, startDirectoryReal: "/real/p/x/b" })).toEqual(["/w/proj"]);
    expect(known({ ...deep, startDirectoryReal: "/b" })).toEqual(["/w/proj"]);
    // The start directory lies elsewhere.
    expect(known({ startDirectory: "/w/else/sub", startDirectoryReal: "/real/p/sub" })).toEqual(["/w/proj"]);
    expect(known({ startDirectory: "/x/proj/sub", startDirectoryReal: "/real/p/sub" })).toEqual(["/w/proj"]);
    // Nothing is a link.
    expect(known({})).toEqual(["/w/proj"]);
    expect(known({ startDirectory: "/w/proj", startDirectoryReal: "/w/proj/more" })).toEqual([
      "/w/proj",
      "/w/proj/more",
    ]);
  });
});
