import { link, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FileSystem } from "../../platform/index.ts";
import { nodePlatform } from "../../platform/index.ts";
import { builtinKit, type Kit } from "../test-kit.ts";

const ROOM = 60_000;
const OLD = "old line\n".repeat(2_000);
const LONG = "new line\n".repeat(20_000);

/** The real disk, on which no file grows beyond ROOM: as the kernel does, a write takes what fits, and then nothing. */
function smallDisk(): FileSystem {
  const { fs } = nodePlatform();
  const open: FileSystem["open"] = async (...args) => {
    const handle = await fs.open(...args);
    const write = handle.write.bind(handle) as (...given: unknown[]) => Promise<unknown>;
    const take = async (bytes: Uint8Array, at = 0, length = bytes.length, position = 0): Promise<unknown> => {
      const fits = Math.min(length, Math.max(0, ROOM - position));
      if (fits === 0 && length > 0)
        throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
      return write(bytes, at, fits, position);
    };
    const writeFile = async (bytes: Uint8Array): Promise<void> => {
      await take(bytes);
      if (bytes.length > ROOM) await take(bytes, ROOM, bytes.length - ROOM, ROOM);
    };
    return Object.assign(handle, { write: take, writeFile });
  };
  return { ...fs, open };
}

let kit: Kit;
beforeEach(async () => {
  kit = await builtinKit({ platform: { fs: smallDisk() } });
});
afterEach(() => kit.remove());

async function readPut(file: string, content: string): Promise<string> {
  const path = await kit.put(file, content);
  expect((await kit.call("Read", { file_path: file })).isError).toBe(false);
  return path;
}

describe("a full disk", () => {
  it("leaves a file of one link as it was, and no file aside", async () => {
    await readPut("a.txt", OLD);
    const { text, isError } = await kit.call("Write", { file_path: "a.txt", content: LONG });
    expect(isError).toBe(true);
    expect(text).toContain("the disk is full");
    expect((await kit.bytes("a.txt")).toString()).toBe(OLD);
    expect(await readdir(kit.cwd)).toEqual(["a.txt"]);
  });

  it("leaves a file of several links as it was", async () => {
    const path = await readPut("a.txt", OLD);
    await link(path, join(kit.cwd, "b.txt"));
    const { text, isError } = await kit.call("Write", { file_path: "a.txt", content: LONG });
    expect(isError).toBe(true);
    expect(text).toContain("the disk is full");
    for (const name of ["a.txt", "b.txt"]) expect((await kit.bytes(name)).toString()).toBe(OLD);
  });

  it("leaves no part of a new file", async () => {
    const { isError } = await kit.call("Write", { file_path: "sub/new.txt", content: LONG });
    expect(isError).toBe(true);
    await expect(stat(join(kit.cwd, "sub/new.txt"))).rejects.toMatchObject({ code: "ENOENT" });
    expect((await kit.call("Write", { file_path: "sub/new.txt", content: "short\n" })).isError).toBe(false);
    expect(await readFile(join(kit.cwd, "sub/new.txt"), "utf8")).toBe("short\n");
  });
});

describe("a file that is written in place", () => {
  it("gets shorter and longer, whole", async () => {
    const path = await readPut("a.txt", OLD);
    await link(path, join(kit.cwd, "b.txt"));
    for (const content of ["short\n", `${OLD}and more\n`, "é\n"]) {
      expect((await kit.call("Write", { file_path: "a.txt", content })).isError).toBe(false);
      expect((await kit.bytes("b.txt")).toString()).toBe(content);
    }
  });
});
