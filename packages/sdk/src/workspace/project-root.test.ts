import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import { isCaseInsensitive } from "./case-probe.ts";
import { findProjectRoot } from "./index.ts";

const platform = nodePlatform();
let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "castellan-project-")));
  await mkdir(join(root, "home/.castellan"), { recursive: true });
  await mkdir(join(root, "home/project/.castellan"), { recursive: true });
  await mkdir(join(root, "home/project/a/b"), { recursive: true });
  await mkdir(join(root, "home/plain/a"), { recursive: true });
  await writeFile(join(root, "home/plain/a/.castellan"), "a file is no mark");
});
afterAll(() => rm(root, { recursive: true, force: true }));

const find = (path: string) => findProjectRoot(platform, join(root, path), join(root, "home"));

describe("the project root", () => {
  it.each([
    ["home/project/a/b", "home/project"],
    ["home/project", "home/project"],
    ["home/plain/a", "home/plain/a"],
    ["home", "home"],
    ["home/missing/x", "home/missing/x"],
  ])("of %s is %s", async (from, to) => {
    expect(find(from)).toBe(join(root, to));
  });

  it("is never the home directory, also where that one is named by a link", async () => {
    await symlink(join(root, "home"), join(root, "alias"));
    expect(findProjectRoot(platform, join(root, "home/plain/a"), join(root, "alias"))).toBe(
      join(root, "home/plain/a"),
    );
    expect(findProjectRoot(platform, join(root, "alias/plain/a"), join(root, "alias"))).toBe(
      join(root, "alias/plain/a"),
    );
  });
});

describe("the case rule of a disk", () => {
  it("is the one that files show", async () => {
    await writeFile(join(root, "probe"), "");
    const shows = await platform.fs.lstat(join(root, "PROBE")).then(
      () => true,
      () => false,
    );
    expect(await isCaseInsensitive(platform, posix, root)).toBe(shows);
  });

  it("is found on a disk that knows no case", async () => {
    const lstatSync = ((path: string, options: { throwIfNoEntry: false }) =>
      platform.fs.lstatSync(
        path.replace(/[^/]+$/, (name) => name.toLowerCase()),
        options,
      )) as typeof platform.fs.lstatSync;
    await mkdir(join(root, "folded"));
    await writeFile(join(root, "folded/probe"), "");
    const fs = { ...platform.fs, lstatSync };
    expect(await isCaseInsensitive({ fs, os: "linux" }, posix, join(root, "folded"))).toBe(true);
  });

  it("is looked up again for every session, without a new listing", async () => {
    const folder = join(root, "again");
    await mkdir(folder);
    await writeFile(join(folder, "probe"), "");
    let listings = 0;
    let folds = false;
    const lstatSync = ((path: string, options: { throwIfNoEntry: false }) =>
      platform.fs.lstatSync(folds ? path.toLowerCase() : path, options)) as typeof platform.fs.lstatSync;
    const opendir = ((path: string) => {
      listings += 1;
      return platform.fs.opendir(path);
    }) as typeof platform.fs.opendir;
    const lower = { ...platform, fs: { ...platform.fs, lstatSync, opendir } };
    const shows = await isCaseInsensitive(lower, posix, folder);
    expect(await isCaseInsensitive(lower, posix, folder)).toBe(shows);
    expect(listings).toBe(1);
    folds = folder === folder.toLowerCase();
    expect(await isCaseInsensitive(lower, posix, folder)).toBe(folds || shows);
    await rename(join(folder, "probe"), join(folder, "other"));
    folds = false;
    expect(await isCaseInsensitive(lower, posix, folder)).toBe(shows);
    expect(listings).toBe(2);
  });

  it("is not taken from a file that is replaced while it is looked at", async () => {
    const folder = join(root, "moving");
    await mkdir(folder);
    await writeFile(join(folder, "probe"), "");
    // The disk knows no case; each look at the file finds a new one, as when an editor saves it.
    let ino = 1;
    const lstatSync = ((path: string) =>
      path.startsWith(`${folder}/`) ? { dev: 1, ino: ino++ } : { dev: 1, ino: 0 }) as unknown;
    const fs = { ...platform.fs, lstatSync: lstatSync as typeof platform.fs.lstatSync };
    expect(await isCaseInsensitive({ fs, os: "linux" }, posix, folder)).toBe(true);
  });

  it("is the system's usual one where nothing has letters", async () => {
    await mkdir(join(root, "1/2"), { recursive: true });
    expect(await isCaseInsensitive({ fs: platform.fs, os: "darwin" }, posix, join(root, "1/2"))).toBe(true);
    expect(await isCaseInsensitive({ fs: platform.fs, os: "linux" }, posix, join(root, "1/2"))).toBe(false);
  });
});
