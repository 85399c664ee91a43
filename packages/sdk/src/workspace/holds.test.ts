import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryFiles } from "../platform/index.ts";
import { holdsLink } from "./holds-link.ts";
import { holdsProtected } from "./holds-protected.ts";

const disk = (...files: string[]) =>
  memoryFiles(
    ["/w"],
    Object.fromEntries(files.map((file) => file.split(" ")).map(([path, ...to]) => [path, to.join(" ")])),
  );
const many = (count: number, folder = "/w") => Array.from({ length: count }, (_, i) => `${folder}/f${i}`);
const held = (files: string[], folders = ["/w"]) => holdsProtected({ fs: disk(...files) }, posix, folders);
const linked = (files: string[], folders = ["/w"]) => holdsLink({ fs: disk(...files) }, posix, folders);

describe("a protected name in a tree", () => {
  it.each([
    [["/w/a/b", "/w/c"], undefined],
    [["/w/a/.git/config"], ".git"],
    [["/w/a/b/.npmrc"], ".npmrc"],
    [["/w/.npmrc -> /else"], ".npmrc"],
    // A link is not walked through.
    [["/w/a -> /else", "/else/.git/x"], undefined],
    [["/w/a/HEAD", "/w/a/objects/x", "/w/a/refs/x"], "HEAD"],
    [["/w/a/head", "/w/a/Objects/x", "/w/a/REFS/x"], "HEAD"],
    [["/w/a/HEAD", "/w/a/refs/x"], undefined],
    [["/w/a/HEAD", "/w/a/objects/x"], undefined],
    [["/w/HEAD", "/w/objects", "/w/b/refs"], undefined],
  ])("of %j is %s", async (files, name) => {
    expect(await held(files)).toEqual(name === undefined ? undefined : { name, loaded: false });
  });

  it("is found in each of several trees, and what loads rules is told apart", async () => {
    expect(await held(["/w/a/x", "/w/b/.mcp.json"], ["/w/a", "/w/b"])).toEqual({
      name: ".mcp.json",
      loaded: true,
    });
    expect(await held(["/w/a/x", "/w/b/.mcp.json"], ["/w/a"])).toBeUndefined();
  });

  it("does not count what stands above the tree", async () => {
    expect(await held(["/w/.vscode/a/x"], ["/w/.vscode"])).toBeUndefined();
  });

  it("is not there in a folder that cannot be listed", async () => {
    expect(await held([], ["/gone"])).toBeUndefined();
  });

  it("counts as one past the entries that are looked at, each folder among them", async () => {
    expect(await held(many(4095))).toBeUndefined();
    expect(await held(many(4096))).toEqual({ name: "*", loaded: false });
    // Two folders and their entries: 1 + 4093 + 1 + 1.
    expect(await held([...many(4092), "/w/sub/a"])).toBeUndefined();
    expect(await held([...many(4092), "/w/sub/a", "/w/sub/b"])).toEqual({ name: "*", loaded: false });
  });
});

describe("a link in a tree", () => {
  it.each([
    [["/w/a/b", "/w/c"], false],
    [["/w/a/b", "/w/c -> a"], true],
    [["/w/a/b/c -> x"], true],
    [["/w/a/b", "/else -> w"], false],
  ])("of %j is there: %s", async (files, there) => {
    expect(await linked(files)).toBe(there);
  });

  it("counts as there where a folder cannot be listed, or the trees are too large", async () => {
    expect(await linked([], ["/gone"])).toBe(true);
    expect(await linked(["/w/a/b"], ["/w/a/b/c"])).toBe(true);
    expect(await linked(many(4095))).toBe(false);
    expect(await linked(many(4096))).toBe(true);
    expect(await linked([...many(4092), "/w/sub/a"])).toBe(false);
    expect(await linked([...many(4092), "/w/sub/a", "/w/sub/b"])).toBe(true);
  });
});
