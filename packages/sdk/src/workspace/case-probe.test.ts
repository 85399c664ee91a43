import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import { isCaseInsensitive } from "./case-probe.ts";

const { fs: disk } = nodePlatform();
type Look = typeof disk.lstatSync;
let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "castellan-case-")));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function folder(name: string, ...files: string[]): Promise<string> {
  const made = join(root, name);
  await mkdir(made, { recursive: true });
  for (const file of files) await writeFile(join(made, file), "");
  return made;
}

/** A disk that shows each path as `stand` says, and counts what is asked of it. */
function shown(stand: (path: string) => { dev: number; ino: number } | undefined) {
  const looks: string[] = [];
  let listings = 0;
  const lstatSync = ((path: string) => {
    looks.push(path);
    return stand(path);
  }) as unknown as Look;
  const opendir = ((path: string) => {
    listings++;
    return disk.opendir(path);
  }) as typeof disk.opendir;
  return { fs: { ...disk, lstatSync, opendir }, looks, listings: () => listings };
}

const probe = (fs: typeof disk, at: string, os: NodeJS.Platform = "linux") =>
  isCaseInsensitive({ fs, os }, posix, at);

describe("the case rule", () => {
  it("is looked at in the other case: upper where there is lower, lower where all is upper", async () => {
    const mixed = shown(() => ({ dev: 1, ino: 1 }));
    const at = await folder("mixed", "aB");
    expect(await probe(mixed.fs, at)).toBe(true);
    expect(mixed.looks).toEqual([`${at}/aB`, `${at}/AB`, `${at}/aB`]);
    const upper = shown(() => ({ dev: 1, ino: 1 }));
    const other = await folder("upper", "AB");
    expect(await probe(upper.fs, other)).toBe(true);
    expect(upper.looks).toEqual([`${other}/AB`, `${other}/ab`, `${other}/AB`]);
  });

  it("takes another file, or one on another disk, for another name", async () => {
    const at = await folder("twins", "aB");
    expect(
      await probe(shown((path) => ({ dev: 1, ino: path.length + Number(path.endsWith("AB")) })).fs, at),
    ).toBe(false);
    expect(await probe(shown((path) => ({ dev: Number(path.endsWith("AB")), ino: 1 })).fs, at)).toBe(false);
    expect(await probe(shown((path) => (path.endsWith("AB") ? undefined : { dev: 1, ino: 1 })).fs, at)).toBe(
      false,
    );
  });

  it("learns nothing from a name without letters, nor from one that is not there", async () => {
    const at = await folder("plain", "12");
    const bare = shown(() => ({ dev: 1, ino: 1 }));
    expect(await probe(bare.fs, at)).toBe(true);
    // The directory's own name has to do.
    expect(bare.looks).toEqual([at, join(root, "PLAIN"), at]);
    expect(await probe(shown(() => undefined).fs, at, "linux")).toBe(false);
    for (const os of ["darwin", "win32"] as const) {
      expect(await probe(shown(() => undefined).fs, at, os)).toBe(true);
    }
    const failing = shown(() => {
      throw new Error("EIO");
    });
    expect(await probe(failing.fs, at, "win32")).toBe(true);
  });

  it("has the directory's own name alone where that cannot be listed", async () => {
    const gone = join(root, "gone");
    const disk = shown(() => ({ dev: 1, ino: 1 }));
    expect(await probe(disk.fs, gone)).toBe(true);
    expect(disk.looks).toEqual([gone, join(root, "GONE"), gone]);
  });

  it("looks at twenty names and at the directory's own, no more", async () => {
    const files = Array.from({ length: 25 }, (_, i) => `${1000 + i}`);
    const at = await folder("many", ...files);
    const disk = shown(() => undefined);
    await folder("lettered", ...files.map((name) => `f${name}`));
    expect(await probe(disk.fs, at, "linux")).toBe(false);
    const lettered = shown(() => undefined);
    expect(await probe(lettered.fs, join(root, "lettered"), "linux")).toBe(false);
    const own = new Set(lettered.looks.filter((path) => path.includes("/f1")));
    expect(own.size).toBe(20);
  });

  it("remembers a thousand directories, then begins anew", async () => {
    const disk = shown(() => ({ dev: 1, ino: 1 }));
    const places = Array.from({ length: 1001 }, (_, i) => join(root, `none-${i}`));
    for (const place of places.slice(0, 1000)) await probe(disk.fs, place);
    expect(disk.listings()).toBe(1000);
    for (const place of [places[0], places[999]]) await probe(disk.fs, place ?? "");
    expect(disk.listings()).toBe(1000);
    await probe(disk.fs, places[1000] ?? "");
    await probe(disk.fs, places[1000] ?? "");
    expect(disk.listings()).toBe(1001);
    await probe(disk.fs, places[999] ?? "");
    expect(disk.listings()).toBe(1002);
  });
});
