import { link, mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtinKit, type Kit } from "../test-kit.ts";

let kit: Kit;
beforeEach(async () => {
  kit = await builtinKit();
});
afterEach(() => kit.remove());

const write = (file: string, content: string) => kit.call("Write", { file_path: file, content });
const read = (file: string) => kit.call("Read", { file_path: file });

describe("Write", () => {
  it("creates a file and its parents, exactly as given, readable by all but for the umask", async () => {
    const content = "a\r\nb\n$&\u00e9😀";
    const answer = await write("x/y/new.txt", content);
    expect(answer).toMatchObject({ isError: false, text: expect.stringContaining("Created") });
    expect((await kit.bytes("x/y/new.txt")).toString()).toBe(content);
    expect((await stat(join(kit.cwd, "x/y/new.txt"))).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(await kit.stored(answer.result.artifacts?.[0])).toContain("+$&");
  });

  it("may be followed by Edit and Write without a read", async () => {
    await write("a.txt", "one\n");
    expect((await kit.call("Edit", { file_path: "a.txt", old_string: "one", new_string: "1" })).isError).toBe(
      false,
    );
    expect((await write("a.txt", "")).isError).toBe(false);
    expect((await kit.bytes("a.txt")).length).toBe(0);
  });

  it("overwrites only what was read as it is now", async () => {
    const path = await kit.put("a.txt", "old\n");
    expect((await write("a.txt", "new\n")).text).toContain("has not been read");
    await read("a.txt");
    await writeFile(path, "changed\n");
    expect((await write("a.txt", "new\n")).text).toContain("has changed since");
    expect((await kit.bytes("a.txt")).toString()).toBe("changed\n");
    await read("a.txt");
    const done = await write("a.txt", "new\nlines\n");
    expect(done.text).toContain("Replaced");
    expect(done.text).toContain("2 lines added and 1 removed");
  });

  it.each([
    ["Windows line ends", Buffer.from("a\r\nb\r\n"), Buffer.from("x\r\ny\r\n")],
    ["Unix line ends", Buffer.from("a\nb\n"), Buffer.from("x\ny\n")],
    ["a mark", Buffer.from("\ufeffa\n"), Buffer.from("\ufeffx\ny\n")],
    ["UTF-16", Buffer.from("\ufeffa\r\n", "utf16le"), Buffer.from("\ufeffx\r\ny\r\n", "utf16le")],
  ])("keeps %s of what it replaces", async (_name, before, after) => {
    await kit.put("t.txt", before);
    await read("t.txt");
    await write("t.txt", "x\ny\n");
    expect((await kit.bytes("t.txt")).toString("hex")).toBe(after.toString("hex"));
  });

  it("keeps links together, and writes through a link, also one to a missing file", async () => {
    const path = await kit.put("a.txt", "old\n");
    await link(path, join(kit.cwd, "hard.txt"));
    await read("a.txt");
    await write("a.txt", "new\n");
    expect((await kit.bytes("hard.txt")).toString()).toBe("new\n");
    await symlink("later.txt", join(kit.cwd, "soft.txt"));
    expect((await write("soft.txt", "through\n")).isError).toBe(false);
    expect((await kit.bytes("later.txt")).toString()).toBe("through\n");
  });

  it("does not overwrite what appeared after the call was judged", async () => {
    const run = await kit.prepare("Write", { file_path: "a.txt", content: "mine\n" });
    await kit.put("a.txt", "theirs\n");
    expect((await run()).isError).toBe(true);
    expect((await kit.bytes("a.txt")).toString()).toBe("theirs\n");
  });

  it("writes nothing outside when a folder became a link after the call was judged", async () => {
    await mkdir(join(kit.cwd, "real"));
    const run = await kit.prepare("Write", { file_path: "sub/a.txt", content: "x\n" });
    await symlink("real", join(kit.cwd, "sub"));
    expect((await run()).isError).toBe(true);
    await expect(stat(join(kit.cwd, "real/a.txt"))).rejects.toThrow("ENOENT");
  });

  it("refuses directories, half characters and zero bytes in paths", async () => {
    expect((await write(".", "x")).text).toContain("is a directory");
    expect((await write("h.txt", "\udc00")).text).toContain("no place for");
    expect((await write("a\0.txt", "x")).text).toContain("zero byte");
    await expect(stat(join(kit.cwd, "h.txt"))).rejects.toThrow("ENOENT");
  });
});
