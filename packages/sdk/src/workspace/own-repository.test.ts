import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import { ownRepository } from "./own-repository.ts";
import { pathLibrary } from "./path-rules.ts";

const platform = nodePlatform();
let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "castellan-own-")));
  await mkdir(join(root, "w/src/deep"), { recursive: true });
  await put("w/.git/HEAD");
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(file: string, content = ""): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), content);
}

/** Below the scratch folder. */
async function found(from: string, environment: Record<string, string> = {}): Promise<string | undefined> {
  const own = await ownRepository(platform, pathLibrary("linux"), join(root, from), environment);
  return own?.slice(root.length + 1);
}

describe("the repository that git would take", () => {
  it("is the nearest upward, links followed", async () => {
    await symlink(join(root, "w/src"), join(root, "link"));
    expect(await found("w")).toBe("w");
    expect(await found("w/src/deep")).toBe("w");
    expect(await found("link/deep")).toBe("w");
    await put("w/src/.git/HEAD");
    expect(await found("w/src/deep")).toBe("w/src");
  });

  it("is not known where there is none, or its directory is gone", async () => {
    await rm(join(root, "w/.git"), { recursive: true });
    expect(await found("w")).toBeUndefined();
    expect(await found("w/none")).toBeUndefined();
  });

  it.each([
    [["w/src/HEAD", "w/src/objects/x"]],
    [["w/src/HEAD", "w/src/refs/x"]],
    [["w/src/HEAD", "w/src/commondir"]],
    [["w/HEAD", "w/objects/x"]],
    [["w/src/deep/HEAD", "w/src/deep/refs"]],
  ])("is not known behind a folder that looks like a bare one: %s", async (files) => {
    for (const file of files) await put(file);
    expect(await found("w/src/deep")).toBeUndefined();
  });

  it("does not mind a file that is only called HEAD, nor folders without one", async () => {
    await put("w/src/HEAD");
    expect(await found("w/src/deep")).toBe("w");
    await rm(join(root, "w/src/HEAD"));
    await put("w/src/objects/x");
    await put("w/src/refs/x");
    await put("w/src/commondir");
    expect(await found("w/src/deep")).toBe("w");
  });

  it.each(["HEAD", "objects", ".git"])("is not known where the disk does not tell of %s", async (name) => {
    await put("w/src/HEAD");
    const closed = join(root, "w/src", name);
    const lstat = ((path: string) =>
      path === closed
        ? Promise.reject(Object.assign(new Error("no"), { code: "EACCES" }))
        : platform.fs.lstat(path)) as typeof platform.fs.lstat;
    const disk = { fs: { ...platform.fs, lstat } };
    const look = (from: string) => ownRepository(disk, pathLibrary("linux"), join(root, from), {});
    expect(await look("w/src/deep")).toBeUndefined();
    expect(await look("w")).toBe(join(root, "w"));
  });

  it("is not named by a file that is longer than any that git writes, or by other text", async () => {
    await put("w/.git/worktrees/t/HEAD");
    const line = "gitdir: ../w/.git/worktrees/t";
    await put("t/.git", line.padEnd(4096, "\n"));
    expect(await found("t")).toBe("t");
    await put("t/.git", line.padEnd(4097, "\n"));
    expect(await found("t")).toBeUndefined();
    await put("t/.git", `${line}\r\n`);
    expect(await found("t")).toBe("t");
    await put("t/.git", `else ${line}`);
    expect(await found("t")).toBeUndefined();
  });

  it.each(["w/src/.git/x", "w/src/.git"])("is not known behind a .git that is none: %s", async (file) => {
    await put(file);
    expect(await found("w/src/deep")).toBeUndefined();
  });

  it("is not the folder of its own files", async () => {
    await mkdir(join(root, "w/.git/objects"));
    expect(await found("w/.git")).toBeUndefined();
    expect(await found("w/.git/objects")).toBeUndefined();
  });

  it("may be named by a file or a link, where its files lie below some .git", async () => {
    await put("w/.git/worktrees/t/HEAD");
    await put("t/.git", `gitdir: ${root}/w/.git/worktrees/t\n`);
    expect(await found("t")).toBe("t");
    await put("u/.git", "gitdir: ../w/.git/worktrees/t");
    expect(await found("u")).toBe("u");
    await mkdir(join(root, "v"));
    await symlink("../w/.git", join(root, "v/.git"));
    expect(await found("v")).toBe("v");
  });

  it.each([
    "gitdir: src\n",
    "gitdir: ../else\n",
    "gitdir: none/.git\n",
    "gitdir: .\n",
    "else",
    "",
    `gitdir: ${"x/../".repeat(2000)}src`,
  ])("is not known where a file leads to a folder that nothing protects: %s", async (content) => {
    await rm(join(root, "w/.git"), { recursive: true });
    await put("w/src/HEAD");
    await put("else/HEAD");
    await put("w/HEAD");
    await put("w/.git", content);
    expect(await found("w")).toBeUndefined();
  });

  it.each([
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_INDEX_FILE",
    "git_dir",
  ])("is not known under %s", async (name) => {
    expect(await found("w", { [name]: "" })).toBeUndefined();
    expect(await found("w", { [`X_${name}`]: "", GIT_PAGER: "cat" })).toBe("w");
  });
});
