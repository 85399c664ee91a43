import { mkdir, mkdtemp, readlink, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, normalize, posix } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryFiles, nodePlatform } from "../platform/index.ts";
import { followLinks } from "./follow-links.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);
const platform = nodePlatform();
let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "castellan-links-")));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const follow = (path: string) => followLinks(platform, posix, path, root);

async function lay(folder: string, tree: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(tree)) {
    const path = join(root, folder, name);
    await mkdir(dirname(path), { recursive: true });
    if (content.startsWith("-> ")) await symlink(content.slice(3), path);
    else await writeFile(path, content);
  }
}

describe("following links", () => {
  it("names every form on the way", async () => {
    await lay("hops", { "c/file": "x", b: "-> c", a: "-> ./b" });
    const found = await follow(`${root}/hops/a/file`);
    expect(found).toMatchObject({ real: `${root}/hops/c/file`, exists: true });
    expect(found.hops).toEqual([`${root}/hops/a/file`, `${root}/hops/b/file`, `${root}/hops/c/file`]);
  });

  it("takes `..` after links, as the kernel does", async () => {
    await lay("up", { "far/away/file": "x", "far/secret": "s", link: "-> far/away" });
    const path = `${root}/up/link/../secret`;
    expect((await follow(path)).real).toBe(await realpath(path));
    expect((await follow(path)).real).toBe(`${root}/up/far/secret`);
  });

  it("goes through a link whose target is missing", async () => {
    await lay("dangling", { "real/keep": "x", d: "-> real/new/file" });
    expect(await follow(`${root}/dangling/d`)).toMatchObject({
      real: `${root}/dangling/real/new/file`,
      exists: false,
    });
  });

  it("takes what is missing through its deepest existing parent", async () => {
    await lay("missing", { "real/keep": "x", l: "-> real", "real/inner": "-> ../other" });
    expect((await follow(`${root}/missing/l/a/b/c`)).real).toBe(`${root}/missing/real/a/b/c`);
    expect((await follow(`${root}/missing/l/a/../inner/x`)).real).toBe(`${root}/missing/other/x`);
  });

  it("takes a file in the middle of a path for a missing folder", async () => {
    await lay("file", { f: "x" });
    expect(await follow(`${root}/file/f/g`)).toMatchObject({ real: `${root}/file/f/g`, exists: false });
  });

  it("gives up on a circle", async () => {
    await lay("circle", { a: "-> b", b: "-> a", self: "-> self/x" });
    expect(await follow(`${root}/circle/a/file`)).toMatchObject({ exists: false });
    expect((await follow(`${root}/circle/a/file`)).real).toBeUndefined();
    expect((await follow(`${root}/circle/self`)).real).toBeUndefined();
  });

  it("gives up after as many links as the kernel, not before", async () => {
    const chain = Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`l${i}`, `-> l${i + 1}`]));
    await lay("chain", { ...chain, l41: "end" });
    expect((await follow(`${root}/chain/l1`)).real).toBe(`${root}/chain/l41`);
    await expect(realpath(`${root}/chain/l0`)).rejects.toThrow(/ELOOP/);
    expect((await follow(`${root}/chain/l0`)).real).toBeUndefined();
  });

  it("comes back out of what is missing", async () => {
    await lay("back", { "d/file": "x", l: "-> d" });
    const base = `${root}/back`;
    for (const path of ["none/../d/file", "none/deep/../../d/file", "none/../l/file"]) {
      expect(await follow(`${base}/${path}`)).toMatchObject({ real: `${base}/d/file`, exists: true });
    }
    expect(await follow(`${base}/d/..`)).toMatchObject({ real: base, exists: true });
    expect(await follow(`${base}/none/deep/..`)).toEqual({ real: `${base}/none`, hops: [], exists: false });
    expect(await follow(`${base}/none/../other`)).toEqual({ real: `${base}/other`, hops: [], exists: false });
    expect((await follow(`${base}/d/..`)).stats?.isDirectory()).toBe(true);
    expect((await follow(`${base}/l`)).stats?.isSymbolicLink()).toBe(false);
    // Back through a link, and the folder that it came to is gone.
    await lay("back", { far: "-> d/new/.." });
    expect(await follow(`${base}/far`)).toMatchObject({ real: `${base}/d`, exists: true });
  });

  it("looks at nothing below what is missing", async () => {
    await lay("looks", { "d/file": "x", l: "-> d" });
    const looks: string[] = [];
    const lstat = ((path: string) => {
      looks.push(path.slice(root.length));
      return platform.fs.lstat(path);
    }) as typeof platform.fs.lstat;
    const counting = { ...platform, fs: { ...platform.fs, lstat } };
    const look = async (path: string) => {
      looks.length = 0;
      await followLinks(counting, posix, `${root}/looks/${path}`, root);
      return looks.filter((each) => each.startsWith("/looks/"));
    };
    expect(await look("none/a/b/c")).toEqual(["/looks/none"]);
    expect(await look("none/a/../b")).toEqual(["/looks/none"]);
    expect(await look("none/a/../../d/file")).toEqual(["/looks/none", "/looks/d", "/looks/d/file"]);
    expect(await look("none/../none/x")).toEqual(["/looks/none", "/looks/none"]);
    expect(await look("d/../none/x")).toEqual(["/looks/d", "/looks/none"]);
    expect(await look("d/file")).toEqual(["/looks/d", "/looks/d/file"]);
    expect(await look("d/file/..")).toEqual(["/looks/d", "/looks/d/file", "/looks/d"]);
    expect(await look("l/file")).toEqual(["/looks/l", "/looks/d", "/looks/d/file"]);
  });

  it("keeps the forms on the way where it gives up or ends", async () => {
    await lay("forms", { l: "-> none/x", "d/to": "-> ../loop", loop: "-> loop", "d/out": "-> /dev/null" });
    const base = `${root}/forms`;
    const forms = async (path: string) => (await follow(`${base}/${path}`)).hops;
    expect(await forms("l/y")).toEqual([`${base}/l/y`, `${base}/none/x/y`]);
    expect(await forms("d/to")).toEqual([`${base}/d/to`, `${base}/loop`]);
    expect(await follow(`${base}/d/out`)).toEqual({
      real: "/dev/null",
      hops: [`${base}/d/out`, "/dev/null"],
      exists: true,
    });
  });

  it("gives up on a link that cannot be read", async () => {
    await lay("unread", { file: "x", l: "-> file", first: "-> l" });
    const readlink = ((path: string) =>
      path.endsWith("/l")
        ? Promise.reject(Object.assign(new Error("no"), { code: "EIO" }))
        : platform.fs.readlink(path)) as typeof platform.fs.readlink;
    const unread = { ...platform, fs: { ...platform.fs, readlink } };
    expect(await followLinks(unread, posix, `${root}/unread/first`, root)).toEqual({
      hops: [`${root}/unread/first`, `${root}/unread/l`],
      exists: false,
    });
  });

  it("looks once more behind `..`, and gives up where that fails", async () => {
    await lay("again", { "d/file": "x" });
    let left = true;
    const failing = (code: string) => {
      left = true;
      const lstat = ((path: string) => {
        if (!path.endsWith("/again/d") || left) {
          left = !path.endsWith("/file");
          return platform.fs.lstat(path);
        }
        return Promise.reject(Object.assign(new Error("no"), { code }));
      }) as typeof platform.fs.lstat;
      const later = { ...platform, fs: { ...platform.fs, lstat } };
      return followLinks(later, posix, `${root}/again/d/file/..`, root);
    };
    expect(await failing("EACCES")).toEqual({ hops: [], exists: false });
    expect(await failing("ENOENT")).toEqual({ real: `${root}/again/d`, hops: [], exists: false });
  });

  it("knows the system's own ways only on that system", async () => {
    const fs = memoryFiles([], {
      "/proc/self/fd/3": "-> /w/file",
      [`/proc/${process.pid}/cwd`]: "-> /w",
      "/w/file": "x",
      "/w/proc/1/fd/9": "x",
      "/proc/1/fd/9/x": "x",
      "/x/dev/null": "-> /w/file",
    });
    const on = (os: NodeJS.Platform, path: string) =>
      followLinks({ fs, os, pid: process.pid }, posix, path, "/elsewhere");
    expect((await on("darwin", "/proc/self/fd/3")).real).toBe("/w/file");
    expect((await on("darwin", `/proc/${process.pid}/cwd/file`)).real).toBe("/w/file");
    expect((await on("linux", `/proc/${process.pid}/cwd/file`)).real).toBe("/elsewhere/file");
    expect(await on("linux", "/proc/self/fd/3")).toEqual({ hops: ["/proc/self/fd/3"], exists: false });
    expect(await on("linux", "/proc/1/fd/9/x")).toEqual({ hops: ["/proc/1/fd/9/x"], exists: false });
    expect((await on("linux", "/w/proc/1/fd/9")).real).toBe("/w/proc/1/fd/9");
    expect((await on("linux", "/x/dev/null")).real).toBe("/w/file");
  });

  it.each([
    "/proc/self/task/12/fd/0",
    "/proc/12/map_files/0-1",
    "/proc/12/fd/12",
    "/proc/12/task/3/map_files/a",
  ])("does not pass %s", async (path) => {
    const fs = memoryFiles([], { [path]: "x" });
    const found = await followLinks({ fs, os: "linux", pid: 1 }, posix, path, "/");
    expect(found).toEqual({ hops: [path], exists: false });
  });

  it("gives up where it may not look", async () => {
    await lay("closed", { "d/file": "x" });
    const lstat = ((path: string) =>
      path.endsWith("/d/file")
        ? Promise.reject(Object.assign(new Error("no"), { code: "EACCES" }))
        : platform.fs.lstat(path)) as typeof platform.fs.lstat;
    const fs = { ...platform.fs, lstat };
    const found = await followLinks({ ...platform, fs }, posix, `${root}/closed/d/file`, root);
    expect(found).toMatchObject({ exists: false });
    expect(found.real).toBeUndefined();
  });
});

describe.runIf(process.platform === "linux")("the ways through /proc", () => {
  it("know what this process, and the call, mean by itself", async () => {
    await lay("proc", { file: "x" });
    const found = await follow(`/proc/self/cwd/proc/file`);
    expect(found.real).toBe(`${root}/proc/file`);
    expect((await follow(`/proc/self/root${root}/proc/file`)).real).toBe(`${root}/proc/file`);
    expect((await follow(`/proc/thread-self/cwd/proc/file`)).real).toBe(`${root}/proc/file`);
    expect((await follow(`/proc/${process.pid}/task/${process.pid}/cwd/proc/file`)).real).toBe(
      `${root}/proc/file`,
    );
  });

  it("do not pass through what some process has open", async () => {
    expect((await follow("/proc/self/fd/0")).real).toBeUndefined();
    expect((await follow("/proc/1/fd/3/x")).real).toBeUndefined();
    expect((await follow("/dev/fd/../fd/0")).real).toBeUndefined();
  });

  it("leave the free devices as they are", async () => {
    expect(await follow("/dev/stdin")).toMatchObject({ real: "/dev/stdin", exists: true });
    expect(await follow("/dev/fd/7")).toMatchObject({ real: "/dev/fd/7", exists: true });
  });
});

describe("any tree of links", () => {
  const names = ["a", "b", "c", "d"];
  const name = fc.constantFrom(...names);
  const target = fc
    .array(fc.constantFrom(...names, "..", "."), { minLength: 1, maxLength: 4 })
    .map((p) => p.join("/"));
  const link = fc.record({
    at: fc.array(name, { minLength: 1, maxLength: 3 }),
    to: target,
    absolute: fc.boolean(),
  });
  const query = fc.array(fc.constantFrom(...names, "..", "."), { minLength: 1, maxLength: 6 });
  let made = 0;

  it("leads where the system says it leads", async () => {
    let existing = 0;
    const property = fc.asyncProperty(
      fc.array(link, { maxLength: 8 }),
      fc.array(query, { minLength: 8, maxLength: 8 }),
      async (links, queries) => {
        const base = join(root, `tree${made++}`, "inner");
        await mkdir(join(base, "a/b"), { recursive: true });
        await mkdir(join(base, "c"));
        await writeFile(join(base, "a/b/d"), "x");
        for (const each of links) {
          const at = join(base, ...each.at);
          await mkdir(dirname(at), { recursive: true }).catch(() => {});
          await symlink(each.absolute ? `${base}/${each.to}` : each.to, at).catch(() => {});
        }
        for (const parts of queries) {
          const path = `${base}/${parts.join("/")}`;
          const real = await realpath(path).catch((error: NodeJS.ErrnoException) => error.code);
          const found = await follow(path);
          if (real?.startsWith("/")) {
            existing++;
            expect([found.real, found.exists]).toEqual([real, true]);
          } else if (real === "ELOOP") {
            expect(found.exists).toBe(false);
          }
          for (const hop of found.hops) expect(hop).toBe(normalize(hop));
          expect(found.hops.length).toBeLessThanOrEqual(80);
        }
      },
    );
    await fc.assert(property, { numRuns: runs });
    expect(existing).toBeGreaterThan(runs);
    expect(await readlink("/proc/self").catch(() => "1")).toMatch(/^\d+$/);
  });
});
