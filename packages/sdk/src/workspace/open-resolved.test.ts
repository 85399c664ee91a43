import { mkdir, mkdtemp, readFile, realpath, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import { isCastellanError } from "../protocol/index.ts";
import { createWorkspace, makeParents, openResolved, type Workspace } from "./index.ts";

const platform = nodePlatform();
const { fs } = platform;
let root: string;
let folder: string;
let workspace: Workspace;
let made = 0;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "castellan-open-")));
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(async () => {
  folder = join(root, String(made++));
  await mkdir(join(folder, "real"), { recursive: true });
  await writeFile(join(folder, "real/file"), "judged");
  await writeFile(join(folder, "other"), "other");
  await symlink("real", join(folder, "link"));
  workspace = await createWorkspace({
    platform,
    startDirectory: folder,
    home: root,
    additionalDirectories: () => [],
  });
});

const isChanged = (error: unknown) => isCastellanError(error, "path_changed");

describe("opening what was judged", () => {
  it("reads, overwrites and appends through links", async () => {
    const found = await workspace.resolvePath("link/file");
    await using reader = await openResolved(fs, found, "r");
    expect(await reader.readFile("utf8")).toBe("judged");
    await using appender = await openResolved(fs, found, "a");
    await appender.writeFile("+");
    expect(await readFile(join(folder, "real/file"), "utf8")).toBe("judged+");
    await using writer = await openResolved(fs, found, "w");
    await writer.writeFile("new");
    expect(await readFile(join(folder, "real/file"), "utf8")).toBe("new");
    await expect(openResolved(fs, found, "wx")).rejects.toThrow(/EEXIST/);
  });

  it.each(["r", "r+", "w", "a"] as const)(
    "refuses another file at its place (%s), and leaves it as it is",
    async (flags) => {
      const found = await workspace.resolvePath("link/file");
      await rename(join(folder, "other"), join(folder, "real/file"));
      await expect(openResolved(fs, found, flags)).rejects.toSatisfy(isChanged);
      expect(await readFile(join(folder, "real/file"), "utf8")).toBe("other");
    },
  );

  it.each(["r", "r+", "w", "a"] as const)("refuses a link at its place (%s)", async (flags) => {
    const found = await workspace.resolvePath("real/file");
    await rm(join(folder, "real/file"));
    await symlink("../other", join(folder, "real/file"));
    await expect(openResolved(fs, found, flags)).rejects.toSatisfy(isChanged);
    expect(await readFile(join(folder, "other"), "utf8")).toBe("other");
  });

  it("refuses a folder on the way that became a link", async () => {
    const found = await workspace.resolvePath("real/file");
    await rename(join(folder, "real"), join(folder, "moved"));
    await mkdir(join(folder, "evil"));
    await writeFile(join(folder, "evil/file"), "evil");
    await symlink("evil", join(folder, "real"));
    await expect(openResolved(fs, found, "w")).rejects.toSatisfy(isChanged);
    expect(await readFile(join(folder, "evil/file"), "utf8")).toBe("evil");
  });

  it("says what stands there instead", async () => {
    const found = await workspace.resolvePath("real/file");
    const fault = (what: string) =>
      expect.objectContaining({
        code: "path_changed",
        message: expect.stringContaining(`${found.real} is not what was judged: ${what}.`),
        subject: found.real,
        fix: "Call the tool again, so that the path is judged as it is now.",
      });
    const { identity = { dev: 0, ino: 0 } } = found;
    const onOtherDisk = { ...found, identity: { ...identity, dev: identity.dev + 1 } };
    await expect(openResolved(fs, onOtherDisk, "w")).rejects.toEqual(fault("another file stands there"));
    const other = { ...found, identity: { ...identity, ino: identity.ino + 1 } };
    await expect(openResolved(fs, other, "w")).rejects.toEqual(fault("another file stands there"));
    expect(await readFile(join(folder, "real/file"), "utf8")).toBe("judged");
    await expect(openResolved(fs, found, "wx")).rejects.toMatchObject({ code: "EEXIST", path: found.real });
    await rm(join(folder, "real/file"));
    await symlink("../other", join(folder, "real/file"));
    await expect(openResolved(fs, found, "r")).rejects.toEqual(fault("a link stands there"));
    await expect(openResolved(fs, found, "r")).rejects.toMatchObject({ cause: { code: "ELOOP" } });
    const { identity: _, ...missing } = found;
    await expect(openResolved(fs, missing, "w")).rejects.toEqual(
      fault("it was missing then and is there now"),
    );
    await rm(join(folder, "real/file"));
    await writeFile(join(folder, "real/file"), "");
    const there = await openResolved(fs, missing, "r").catch((error: unknown) => error);
    expect(there).toEqual(fault("it was missing then and is there now"));
    expect(Object.keys(there as object)).not.toContain("cause");
  });

  it("passes on that the file is gone", async () => {
    const found = await workspace.resolvePath("real/file");
    await rm(join(folder, "real/file"));
    await expect(openResolved(fs, found, "r")).rejects.toThrow(/ENOENT/);
  });

  it("does not open what could not be followed", async () => {
    await symlink("circle", join(folder, "circle"));
    const found = await workspace.resolvePath("circle");
    const fault = {
      message: expect.stringContaining(`${found.given} is not what was judged: its links could`),
    };
    await expect(openResolved(fs, found, "r")).rejects.toSatisfy(isChanged);
    await expect(openResolved(fs, found, "r")).rejects.toMatchObject(fault);
    await expect(makeParents(fs, found)).rejects.toSatisfy(isChanged);
    await expect(makeParents(fs, found)).rejects.toMatchObject(fault);
  });
});

describe("making what was judged as missing", () => {
  it.each(["w", "a", "wx"] as const)("makes it (%s), with its mode", async (flags) => {
    const found = await workspace.resolvePath("link/new");
    await using handle = await openResolved(fs, found, flags, 0o600);
    await handle.writeFile("made");
    expect(await readFile(join(folder, "real/new"), "utf8")).toBe("made");
    expect((await stat(join(folder, "real/new"))).mode & 0o777).toBe(0o600);
  });

  it("goes through a dangling link to where it was judged", async () => {
    await symlink("real/later", join(folder, "dangling"));
    const found = await workspace.resolvePath("dangling");
    await using handle = await openResolved(fs, found, "w");
    await handle.writeFile("made");
    expect(await readFile(join(folder, "real/later"), "utf8")).toBe("made");
  });

  it.each(["r", "w", "a", "wx"] as const)("refuses a file that came since (%s)", async (flags) => {
    const found = await workspace.resolvePath("real/new");
    await writeFile(join(folder, "real/new"), "theirs");
    await expect(openResolved(fs, found, flags)).rejects.toSatisfy(isChanged);
    expect(await readFile(join(folder, "real/new"), "utf8")).toBe("theirs");
  });

  it("refuses a link that came since, also one that leads nowhere", async () => {
    const found = await workspace.resolvePath("real/new");
    await symlink("../nowhere", join(folder, "real/new"));
    await expect(openResolved(fs, found, "w")).rejects.toSatisfy(isChanged);
    await expect(stat(join(folder, "nowhere"))).rejects.toThrow(/ENOENT/);
  });

  it("refuses a folder that became a link", async () => {
    const found = await workspace.resolvePath("fresh/deep/new");
    await mkdir(join(folder, "evil/deep"), { recursive: true });
    await symlink("evil", join(folder, "fresh"));
    await expect(makeParents(fs, found)).rejects.toSatisfy(isChanged);
    await expect(openResolved(fs, found, "w")).rejects.toSatisfy(isChanged);
    await expect(stat(join(folder, "evil/deep/new"))).rejects.toThrow(/ENOENT/);
  });

  it.each(["r", "r+"] as const)("does not make it to read it (%s)", async (flags) => {
    const found = await workspace.resolvePath("real/new");
    await expect(openResolved(fs, found, flags)).rejects.toMatchObject({ code: "ENOENT" });
    await expect(stat(join(folder, "real/new"))).rejects.toThrow(/ENOENT/);
  });

  it("refuses a folder that becomes a link while the file is made", async () => {
    const found = await workspace.resolvePath("real/new");
    let closed = 0;
    const open = (async (...args: Parameters<typeof fs.open>) => {
      const handle = await fs.open(...args);
      await rename(join(folder, "real"), join(folder, "moved"));
      await symlink("moved", join(folder, "real"));
      const close = handle.close.bind(handle);
      handle.close = () => {
        closed += 1;
        return close();
      };
      return handle;
    }) as typeof fs.open;
    await expect(openResolved({ ...fs, open }, found, "w")).rejects.toMatchObject({
      message: expect.stringContaining(
        `${join(folder, "real")} is not what was judged: a link stands there.`,
      ),
    });
    expect(closed).toBe(1);
  });

  it("passes on that a folder may not be looked at", async () => {
    const found = await workspace.resolvePath("real/new");
    const lstat = ((path: string) =>
      path === join(folder, "real")
        ? Promise.reject(Object.assign(new Error("no"), { code: "EACCES" }))
        : fs.lstat(path)) as typeof fs.lstat;
    const closed = { ...fs, lstat };
    await expect(openResolved(closed, found, "w")).rejects.toMatchObject({ code: "EACCES" });
    await expect(makeParents(closed, found)).rejects.toMatchObject({ code: "EACCES" });
  });

  it("takes a backslash for a part of a name", async () => {
    await mkdir(join(folder, "link\\y"));
    const found = await workspace.resolvePath("link\\y/new");
    await using handle = await openResolved(fs, found, "w");
    await handle.writeFile("made");
    expect(await readFile(join(folder, "link\\y/new"), "utf8")).toBe("made");
  });

  it("makes missing folders when asked to", async () => {
    const found = await workspace.resolvePath("link/a/b/new");
    await expect(openResolved(fs, found, "w")).rejects.toThrow(/ENOENT/);
    await makeParents(fs, found);
    await using handle = await openResolved(fs, found, "w");
    await handle.writeFile("made");
    expect(await readFile(join(folder, "real/a/b/new"), "utf8")).toBe("made");
  });
});
