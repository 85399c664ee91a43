import { posix, win32 } from "node:path";
import ignore from "ignore";
import { describe, expect, it } from "vitest";
import { memoryFiles, nodePlatform } from "../platform/index.ts";
import { heedsIgnoreFilesAbove } from "./heeds-ignore-files-above.ts";
import { createIgnoreFiles, isIgnored } from "./ignore-files.ts";

/** A disk in memory whose reads are counted. */
function disk(files: Record<string, string>) {
  const real = memoryFiles(["/w"], files);
  const reads: string[] = [];
  const stats: string[] = [];
  const fs = new Proxy(real, {
    get: (target, name) => {
      if (name === "readFile") {
        return (path: string) => {
          reads.push(path);
          return target.readFile(path, "utf8");
        };
      }
      if (name === "stat") {
        return (path: string) => {
          stats.push(path);
          return target.stat(path);
        };
      }
      return Reflect.get(target, name);
    },
  });
  return { fs, reads, stats };
}

describe("the ignore files of a folder", () => {
  it("are joined, weakest first, and kept until they change", async () => {
    const { fs, reads } = disk({
      "/w/.gitignore": "*.a",
      "/w/.ignore": "!x.a\n*.b",
      "/w/.git/info/exclude": "c",
    });
    const files = createIgnoreFiles(fs, posix);
    const level = await files.levelOf("/w");
    if (level === undefined) throw new Error("no level");
    expect(level.directory).toBe("/w");
    const hidden = (name: string) => isIgnored(posix, [level], `/w/${name}`, false);
    expect(["y.a", "x.a", "x.b", "c", "x.c"].map(hidden)).toEqual([true, false, true, true, false]);
    expect(reads.length).toBe(3);
    await files.levelOf("/w");
    expect(reads.length).toBe(3);
  });

  it("are compiled once where there is one of them", async () => {
    const { fs } = disk({ "/w/.gitignore": "*.a" });
    const files = createIgnoreFiles(fs, posix);
    const [first, second] = [await files.levelOf("/w"), await files.levelOf("/w")];
    expect(first?.patterns).toBe(second?.patterns);
    expect(first?.patterns.ignores("x.a")).toBe(true);
  });

  it("are not looked for where the folder's names are known", async () => {
    const { fs, stats } = disk({ "/w/.gitignore": "*.a" });
    const files = createIgnoreFiles(fs, posix);
    expect(await files.levelOf("/w", new Set(["x"]))).toBeUndefined();
    expect(stats).toEqual([]);
    await files.levelOf("/w", new Set([".gitignore"]));
    expect(stats).toEqual(["/w/.gitignore"]);
    await files.levelOf("/w", new Set([".git", ".ignore"]));
    expect(stats).toEqual(["/w/.gitignore", "/w/.git/info/exclude", "/w/.ignore"]);
    stats.length = 0;
    await files.levelOf("/w");
    expect(stats).toEqual(["/w/.git/info/exclude", "/w/.gitignore", "/w/.ignore"]);
  });

  it("are none where there are none, or only a folder of the name", async () => {
    const { fs } = disk({ "/w/.gitignore/x": "" });
    expect(await createIgnoreFiles(fs, posix).levelOf("/w")).toBeUndefined();
  });

  it("hide nothing where they cannot be read", async () => {
    const { fs } = disk({ "/w/.gitignore": "*.a" });
    const failing = new Proxy(fs, {
      get: (target, name) =>
        name === "readFile" ? () => Promise.reject(new Error("EIO")) : Reflect.get(target, name),
    });
    const level = await createIgnoreFiles(failing, posix).levelOf("/w");
    expect(level?.patterns.ignores("x.a")).toBe(false);
  });

  it("are read up to a million bytes", async () => {
    const line = "*.a\n";
    const of = async (size: number) => {
      const { fs } = disk({ "/w/.gitignore": line.padEnd(size, "#") });
      return (await createIgnoreFiles(fs, posix).levelOf("/w"))?.patterns.ignores("x.a");
    };
    expect(await of(1_000_000)).toBe(true);
    expect(await of(1_000_001)).toBeUndefined();
  });

  it("are kept of a thousand files, the oldest goes first", async () => {
    const names = Array.from({ length: 1001 }, (_, i) => `/w/${i}`);
    const { fs, reads } = disk(Object.fromEntries(names.map((name) => [`${name}/.gitignore`, "x"])));
    const files = createIgnoreFiles(fs, posix);
    const only = new Set([".gitignore"]);
    for (const name of names.slice(0, 1000)) await files.levelOf(name, only);
    await files.levelOf("/w/0", only);
    expect(reads.length).toBe(1000);
    await files.levelOf("/w/1000", only);
    expect(reads.length).toBe(1001);
    await files.levelOf("/w/999", only);
    await files.levelOf("/w/1", only);
    expect(reads.length).toBe(1001);
    await files.levelOf("/w/0", only);
    expect(reads.length).toBe(1002);
  });
});

describe("what holds from above", () => {
  const tree = {
    "/w/.git/HEAD": "",
    "/w/.gitignore": "*.a",
    "/w/a/b/.ignore": "*.b",
    "/w/a/b/c/.gitignore": "x",
  };
  const above = async (files: Record<string, string>, at: string) =>
    (await createIgnoreFiles(memoryFiles(["/w"], files), posix).levelsAbove(at)).map(
      (level) => level.directory,
    );

  it("is every level of the repository, outermost first, its own left out", async () => {
    expect(await above(tree, "/w/a/b/c")).toEqual(["/w", "/w/a/b"]);
    expect(await above(tree, "/w/a/b")).toEqual(["/w"]);
    expect(await above(tree, "/w")).toEqual([]);
  });

  it("is nothing outside a repository, and nothing from above one", async () => {
    expect(await above({ "/w/.gitignore": "x", "/w/a/b": "" }, "/w/a")).toEqual([]);
    expect(await above({ "/.gitignore": "x", ...tree }, "/w/a/b")).toEqual(["/w"]);
  });

  it("is heeded where there is any", async () => {
    const heeds = (files: Record<string, string>, at: string) =>
      heedsIgnoreFilesAbove({ ...nodePlatform(), os: "linux", fs: memoryFiles(["/w"], files) }, at);
    expect(await heeds(tree, "/w/a")).toBe(true);
    expect(await heeds(tree, "/w")).toBe(false);
    expect(await heeds({ "/w/.git/HEAD": "", "/w/a/x": "" }, "/w/a")).toBe(false);
    expect(await heeds({ "/w/.gitignore": "x", "/w/a/x": "" }, "/w/a")).toBe(false);
  });
});

describe("hiding an entry", () => {
  const level = (directory: string, ...patterns: string[]) => ({
    directory,
    patterns: ignore().add(patterns),
  });

  it("goes by the path below the level, on Windows too", () => {
    expect(isIgnored(win32, [level("C:\\w", "a/b")], "C:\\w\\a\\b", false)).toBe(true);
    expect(isIgnored(win32, [level("C:\\w", "ab")], "C:\\w\\a\\b", false)).toBe(false);
    expect(isIgnored(posix, [level("/w", "*")], "/w", true)).toBe(false);
    expect(isIgnored(posix, [level("/w/a", "*")], "/w/b", false)).toBe(false);
    expect(isIgnored(posix, [level("/w", "a/")], "/w/a", true)).toBe(true);
    expect(isIgnored(posix, [level("/w", "a/")], "/w/a", false)).toBe(false);
  });

  it("is taken back by the deepest level that speaks", () => {
    const levels = [level("/w", "*.log"), level("/w/a", "!keep.log")];
    expect(isIgnored(posix, levels, "/w/a/keep.log", false)).toBe(false);
    expect(isIgnored(posix, levels, "/w/a/other.log", false)).toBe(true);
    expect(isIgnored(posix, levels, "/w/keep.log", false)).toBe(true);
    expect(isIgnored(posix, [level("/w", "build"), level("/w/a", "!build")], "/w/a/build/x", false)).toBe(
      false,
    );
  });
});
