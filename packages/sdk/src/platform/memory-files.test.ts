import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryFiles } from "./memory-files.ts";
import { nodePlatform } from "./node-platform.ts";

const FILES = {
  "/a/file.txt": "text",
  "/a/deep/er/x": "",
  "/a/link": "-> deep/er",
  "/a/up": "-> ../a/file.txt",
  "/a/chain": "-> link",
  "/a/lost": "-> nowhere",
  "/a/loop": "-> loop",
};
const PATHS = [
  ...["/a", "/a/file.txt", "/a/link", "/a/link/x", "/a/up", "/a/chain/x", "/a/chain/../er/x", "/a/lost"],
  ...["/a/loop", "/a/none", "/a/file.txt/x", "/a/deep/./er", "/a/link/none", "/b", "/a/lost/x"],
];

type Disk = ReturnType<typeof memoryFiles>;

/** What a disk says about a path, with `root` taken off. */
async function answers(fs: Disk, root: string, path: string): Promise<unknown[]> {
  const at = `${root}${path}`;
  const answer = async (ask: () => unknown): Promise<unknown> => {
    try {
      const value = await ask();
      return typeof value === "string" ? value.slice(value.startsWith(root) ? root.length : 0) : value;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    }
  };
  const kind = (stats: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }) =>
    [stats.isFile() && "file", stats.isDirectory() && "directory", stats.isSymbolicLink() && "link"].find(
      Boolean,
    );
  return Promise.all([
    answer(() => fs.realpath(at)),
    answer(() => fs.realpathSync(at)),
    answer(async () => kind(await fs.stat(at))),
    answer(() => kind(fs.lstatSync(at))),
    answer(() => fs.readlink(at)),
    answer(async () => (await fs.readdir(at)).sort()),
    answer(async () => String(await fs.readFile(at, "utf8"))),
  ]);
}

describe("a disk in memory", () => {
  it("answers as a real one with the same files", async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), "castellan-disk-")));
    try {
      for (const [path, text] of Object.entries(FILES)) {
        await mkdir(dirname(root + path), { recursive: true });
        const to = /^-> (.*)$/.exec(text)?.[1];
        if (to === undefined) await writeFile(root + path, text);
        else await symlink(to, root + path);
      }
      const memory = memoryFiles([], FILES);
      for (const path of PATHS) {
        expect([path, ...(await answers(memory, "", path))]).toEqual([
          path,
          ...(await answers(nodePlatform().fs, root, path)),
        ]);
      }
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it("has its directories, and those above", async () => {
    const fs = memoryFiles(["/w/app", "/home/u"], {});
    expect((await fs.stat("/w")).isDirectory()).toBe(true);
    const entries = await fs.readdir("/", { withFileTypes: true });
    expect(entries.map((entry) => [entry.name, entry.isDirectory()])).toEqual([
      ["w", true],
      ["home", true],
    ]);
  });

  it("is not changed by anybody", () => {
    const fs = memoryFiles([], {});
    expect(() => fs.writeFile("/x", "")).toThrow("A disk in memory is only looked at; it has no writeFile.");
  });
});
