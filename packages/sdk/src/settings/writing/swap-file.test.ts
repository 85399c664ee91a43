import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodePlatform } from "../../platform/index.ts";
import { swapFile } from "./swap-file.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "swap-file-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe("swapFile", () => {
  it("writes the new text and keeps the mode, behind a link too", async () => {
    const file = join(folder, "settings.json");
    const link = join(folder, "link.json");
    await writeFile(file, "old", { mode: 0o640 });
    await symlink(file, link);
    expect(await swapFile(nodePlatform(), link, "old", "new")).toBe(true);
    expect(await readFile(file, "utf8")).toBe("new");
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await readdir(folder)).sort()).toEqual(["link.json", "settings.json"]);
  });

  it("leaves a file alone that has changed, is there already, or is not there", async () => {
    const file = join(folder, "settings.json");
    await writeFile(file, "newer");
    expect(await swapFile(nodePlatform(), file, "old", "new")).toBe(false);
    expect(await swapFile(nodePlatform(), file, undefined, "new")).toBe(false);
    expect(await swapFile(nodePlatform(), join(folder, "no.json"), "", "new")).toBe(false);
    expect(await swapFile(nodePlatform(), join(folder, "gone/no.json"), undefined, "new")).toBe(false);
    expect(await readFile(file, "utf8")).toBe("newer");
    expect(await readdir(folder)).toEqual(["settings.json"]);
  });

  it.each([
    ["ENOSPC", "the disk is full", "Make room on it"],
    ["EROFS", "its disk is read-only", "Make it writable"],
  ])("says in words what %s is, and leaves the file", async (code, problem, fix) => {
    const file = join(folder, "settings.json");
    await writeFile(file, "old");
    const platform = nodePlatform();
    const fs = new Proxy(platform.fs, {
      get: (target, name) =>
        name === "rename"
          ? () => Promise.reject(Object.assign(new Error(code), { code }))
          : Reflect.get(target, name),
    });
    await expect(swapFile({ ...platform, fs }, file, "old", "new")).rejects.toMatchObject({
      code: "invalid_settings",
      message: expect.stringContaining(`was not changed: ${problem}. ${fix}`),
    });
    expect(await readFile(file, "utf8")).toBe("old");
    expect(await readdir(folder)).toEqual(["settings.json"]);
  });
});
