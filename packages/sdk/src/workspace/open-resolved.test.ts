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

  it("passes on that the file is gone", async () => {
    const found = await workspace.resolvePath("real/file");
    await rm(join(folder, "real/file"));
    await expect(openResolved(fs, found, "r")).rejects.toThrow(/ENOENT/);
  });

  it("does not open what could not be followed", async () => {
    await symlink("circle", join(folder, "circle"));
    await expect(openResolved(fs, await workspace.resolvePath("circle"), "r")).rejects.toSatisfy(isChanged);
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

  it("makes missing folders when asked to", async () => {
    const found = await workspace.resolvePath("link/a/b/new");
    await expect(openResolved(fs, found, "w")).rejects.toThrow(/ENOENT/);
    await makeParents(fs, found);
    await using handle = await openResolved(fs, found, "w");
    await handle.writeFile("made");
    expect(await readFile(join(folder, "real/a/b/new"), "utf8")).toBe("made");
  });
});
