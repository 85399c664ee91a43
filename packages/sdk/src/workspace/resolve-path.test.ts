import type { Stats } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, posix, win32 } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryFiles, nodePlatform, type Platform } from "../platform/index.ts";
import { expandHome, type Ground, resolvePath } from "./resolve-path.ts";
import { createPlaces } from "./working-directories.ts";

const platform = nodePlatform();
let root: string;
let ground: Ground;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "castellan-path-")));
  await lay({
    "w/file": "",
    "w/sub/proc/x": "",
    "w/sub/dev/x": "",
    "w/up": "-> ../far/deep",
    "w/guarded": "-> .vscode",
    "w/.vscode/x": "",
    "w/.claude/settings.json": "-> ../.vscode/x",
    "w/to-null": "-> /dev/null",
    "w/circle": "-> circle",
    "far/deep/x": "",
    "far/file": "",
    one: "-> w",
    two: "-> one",
  });
  ground = await groundAt("w");
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function lay(tree: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(tree)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    if (content.startsWith("-> ")) await symlink(content.slice(3), join(root, name));
    else await writeFile(join(root, name), content);
  }
}

async function groundAt(start: string, fs: Platform["fs"] = platform.fs): Promise<Ground> {
  const place = createPlaces(platform, posix, root);
  return {
    platform: { ...platform, fs },
    library: posix,
    home: join(root, "home"),
    start: await place(join(root, start)),
    added: [],
    caseInsensitive: false,
  };
}

const at = (path: string) => join(root, "w", path);
const resolve = (path: string, own = ground) => resolvePath(own, path, own.start.given);

describe("the facts of a path", () => {
  it("hold what is known and nothing else", async () => {
    const file = await resolve("file");
    expect(Object.keys(file).sort()).toEqual(
      ["directory", "exists", "given", "hops", "identity", "inside", "real"].sort(),
    );
    expect(await resolve(at("file"))).toEqual(file);
    expect(await resolve("none/x")).toStrictEqual({
      given: at("none/x"),
      real: at("none/x"),
      hops: [],
      exists: false,
      inside: true,
    });
    expect(await resolve("circle")).toStrictEqual({
      given: at("circle"),
      hops: [],
      exists: false,
      inside: false,
    });
  });

  it("take `..` after links, also where the plain reading is there too", async () => {
    expect(await resolve("up/../file")).toMatchObject({
      given: at("file"),
      real: join(root, "far/file"),
      inside: false,
    });
  });

  it("say nothing of a free device but that it is there", async () => {
    const free = { given: "/dev/null", real: "/dev/null", hops: [], exists: true, inside: false };
    expect(await resolve("/dev/null")).toStrictEqual(free);
    expect(await resolve("to-null")).toStrictEqual({ ...free, given: at("to-null") });
  });

  it("take two looks, whatever its folders are called", async () => {
    let looks = 0;
    const fs = new Proxy(platform.fs, {
      get: (real, name) => {
        looks++;
        return Reflect.get(real, name);
      },
    });
    const counting = await groundAt("w", fs);
    for (const path of ["file", "sub/proc/x", "sub/dev/x", at("file")]) {
      looks = 0;
      await resolve(path, counting);
      expect(looks).toBe(2);
    }
  });

  it("name each form of the start directory", async () => {
    const linked = await groundAt("two");
    expect(linked.start.hops).toEqual([join(root, "one")]);
    expect(await resolve("file", linked)).toMatchObject({
      given: join(root, "two/file"),
      real: at("file"),
      hops: [join(root, "one/file")],
      inside: true,
    });
    expect(await resolve("", linked)).toMatchObject({ given: join(root, "two"), hops: [join(root, "one")] });
    expect((await resolve(at("file"), linked)).hops).toEqual([]);
    expect((await resolve(join(root, "far/file"), linked)).hops).toEqual([]);
  });

  it("show a link that comes in between as one", async () => {
    const link = await platform.fs.lstat(at("guarded"));
    let looks = 0;
    const lstat = ((path: string) =>
      path === at("file") && looks++ === 0 ? Promise.resolve(link) : platform.fs.lstat(path)) as never;
    const racing = await groundAt("w", { ...platform.fs, lstat });
    // It was no link again when it was followed part by part.
    expect(await resolve("file", racing)).toEqual(await resolve("file"));
    expect(looks).toBe(2);
  });
});

describe("what is guarded about a path", () => {
  it("is told of its real form too, what is loaded before the rest", async () => {
    expect((await resolve("guarded")).protected).toEqual({ name: ".vscode", loaded: false });
    expect((await resolve("guarded/x")).hops).toEqual([]);
    expect((await resolve("guarded/x")).protected).toEqual({ name: ".vscode", loaded: false });
    expect((await resolve(".claude/settings.json")).protected).toEqual({ name: ".claude", loaded: true });
    expect((await resolve("file")).protected).toBeUndefined();
  });

  it("is suspicious in any of its forms", async () => {
    expect((await resolve("a\nb")).suspicious).toBe("its name holds control or direction characters");
    expect((await resolve("...")).suspicious).toBe("a part of it is made only of dots");
    expect((await resolve("\0/../file")).suspicious).toBe("its name holds control or direction characters");
    await symlink("...", at("dotted"));
    expect((await resolve("dotted")).suspicious).toBe("a part of it is made only of dots");
    expect("suspicious" in (await resolve("file"))).toBe(false);
  });

  it("is a device by its kind, however it is called", async () => {
    const kinds = (kind: "isCharacterDevice" | "isBlockDevice") =>
      groundAt("w", {
        ...platform.fs,
        lstat: (async (path: string) => {
          const stats = await platform.fs.lstat(path);
          return path === at("file") ? Object.assign(stats, { [kind]: () => true }) : stats;
        }) as unknown as (path: string) => Promise<Stats>,
      } as Platform["fs"]);
    expect((await resolve("file", await kinds("isCharacterDevice"))).suspicious).toBe("it is a device");
    expect((await resolve("file", await kinds("isBlockDevice"))).suspicious).toBe("it is a device");
    expect((await resolve("sub", await kinds("isBlockDevice"))).suspicious).toBeUndefined();
  });
});

describe("the home", () => {
  const posixHome = { library: posix, home: "/h" };
  const windowsHome = { library: win32, home: "C:\\h" };

  it.each([
    ["~", "/h", "C:\\h"],
    ["~/x", "/h/x", "C:\\h\\x"],
    ["~\\x", "~\\x", "C:\\h\\x"],
    ["~x", "~x", "~x"],
    ["ab", "ab", "ab"],
    ["a/~", "a/~", "a/~"],
    ["", "", ""],
  ])("in %j is %j, on Windows %j", (path, home, windows) => {
    expect(expandHome(posixHome, path)).toBe(home);
    expect(expandHome(windowsHome, path)).toBe(windows);
  });
});

describe("a path on Windows", () => {
  const place = { given: "C:\\w", real: "C:\\w", hops: [] };
  const windows = {
    platform: { ...platform, os: "win32" as const, fs: memoryFiles([], {}) },
    library: win32,
    home: "C:\\h",
    start: place,
    added: [],
    caseInsensitive: true,
  };

  it("is the one that the system opens", async () => {
    expect(await resolvePath(windows, "x. ", "C:\\w")).toMatchObject({ given: "C:\\w\\x", real: "C:\\w\\x" });
    expect(await resolvePath(windows, "c:/W/.git./config", "C:\\w")).toMatchObject({
      given: "C:\\W\\.git\\config",
      inside: true,
      protected: { name: ".git", loaded: false },
    });
    expect((await resolvePath(windows, "~\\x", "C:\\w")).given).toBe("C:\\h\\x");
    expect((await resolvePath(windows, "D:\\x", "C:\\w")).inside).toBe(false);
  });
});
