import { chmod, link, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtinKit, type Kit } from "../test-kit.ts";

let kit: Kit;
beforeEach(async () => {
  kit = await builtinKit();
});
afterEach(() => kit.remove());

const edit = (file: string, old: string, put: string, more = {}) =>
  kit.call("Edit", { file_path: file, old_string: old, new_string: put, ...more });

async function readPut(file: string, content: string | Uint8Array): Promise<string> {
  const path = await kit.put(file, content);
  expect((await kit.call("Read", { file_path: file })).isError).toBe(false);
  return path;
}

describe("Edit", () => {
  it("replaces one place, shows it and gives the diff", async () => {
    await readPut("a.ts", "const a = 1;\nconst b = 2;\nconst c = 3;\n");
    const { text, isError, result } = await edit("a.ts", "b = 2", "b = $&20");
    expect(isError).toBe(false);
    expect((await kit.bytes("a.ts")).toString()).toBe("const a = 1;\nconst b = $&20;\nconst c = 3;\n");
    expect(text).toContain("1 place changed");
    expect(text).toContain("     2\tconst b = $&20;");
    const diff = await kit.stored(result.artifacts?.[0]);
    expect(diff).toContain("-const b = 2;\n+const b = $&20;\n");
    expect(result.structuredContent).toMatchObject({ replacements: 1, added: 1, removed: 1 });
    expect(result.artifacts?.[0]?.mediaType).toBe("text/x-diff");
  });

  it("may follow another edit without a new read", async () => {
    await readPut("a.txt", "one two\n");
    await edit("a.txt", "one", "1");
    expect((await edit("a.txt", "two", "2")).isError).toBe(false);
    expect((await kit.bytes("a.txt")).toString()).toBe("1 2\n");
  });

  it("needs a read of the file as it is now, by its bytes and not its times", async () => {
    await kit.put("a.txt", "one\n");
    expect((await edit("a.txt", "one", "two")).text).toContain("has not been read");
    const path = await readPut("b.txt", "one\n");
    const before = await stat(path);
    await writeFile(path, "One\n");
    await kit.platform.fs.utimes(path, before.atime, before.mtime);
    expect((await edit("b.txt", "One", "two")).text).toContain("has changed since it was read");
    await writeFile(path, "one\n");
    expect((await edit("b.txt", "one", "two")).isError).toBe(false);
  });

  it("stops to count in a long row of equal characters, and refuses to change too many places", async () => {
    await readPut("row.txt", `${"a".repeat(3_000_000)}\n`);
    expect((await edit("row.txt", "a".repeat(5_000), "b")).text).toContain("1000 times or more");
    const many = await edit("row.txt", "a", "b", { replace_all: true });
    expect(many).toMatchObject({ isError: true, text: expect.stringContaining("more than 200000 times") });
    expect((await kit.bytes("row.txt")).length).toBe(3_000_001);
  });

  it("keeps a long diff out of the structured result, and in the artifact", async () => {
    await readPut("min.js", `${"x".repeat(80_000)}needle\nshort\n`);
    const long = await edit("min.js", "needle", "pin");
    expect(long.result.structuredContent).toMatchObject({ added: 1, removed: 1 });
    expect(long.result.structuredContent).not.toHaveProperty("hunks");
    expect((await kit.stored(long.result.artifacts?.[0])).length).toBeGreaterThan(160_000);
    await readPut("small.js", "needle\n");
    expect((await edit("small.js", "needle", "pin")).result.structuredContent).toHaveProperty("hunks");
  });

  it("says how often and on which lines the text stands", async () => {
    await readPut("a.txt", "x\ny\nx\n");
    const many = await edit("a.txt", "x", "z");
    expect(many).toMatchObject({ isError: true, text: expect.stringContaining("2 times") });
    expect(many.text).toContain("lines 1, 3");
    expect((await kit.bytes("a.txt")).toString()).toBe("x\ny\nx\n");
    expect((await edit("a.txt", "x", "z", { replace_all: true })).text).toContain("2 places changed");
    expect((await kit.bytes("a.txt")).toString()).toBe("z\ny\nz\n");
  });

  it.each([
    ["    indented text", "differs from it only in blanks"],
    ["     3\t  spaced   text", "line numbers that Read shows"],
    ["SOME “Words”", "letter case, quotation marks"],
    ["one\nbut different", "first line stands at line 1"],
    ["nowhere to be seen", "was not found"],
  ])("says why %j is not found", async (old, why) => {
    await readPut("a.txt", 'one\ntwo\n  spaced   text\n\tindented text\nsome "words" here\n');
    expect(await edit("a.txt", old, "x")).toMatchObject({
      isError: true,
      text: expect.stringContaining(why),
    });
  });

  it.each([
    ["Windows line ends", Buffer.from("a\r\nb\r\nc\r\n"), Buffer.from("a\r\nX\r\nY\r\nc\r\n")],
    ["a mark", Buffer.from("\ufeffa\nb\nc\n"), Buffer.from("\ufeffa\nX\nY\nc\n")],
    ["no final line end", Buffer.from("a\nb"), Buffer.from("a\nX\nY")],
    ["UTF-16", Buffer.from("\ufeffa\r\nb\r\n", "utf16le"), Buffer.from("\ufeffa\r\nX\r\nY\r\n", "utf16le")],
    [
      "UTF-16 big",
      Buffer.from("\ufeffa\nb\n", "utf16le").swap16(),
      Buffer.from("\ufeffa\nX\nY\n", "utf16le").swap16(),
    ],
    [
      "Latin-1",
      Buffer.from("\xe9t\xe9\r\nb\r\n", "latin1"),
      Buffer.from("\xe9t\xe9\r\nX\r\nY\r\n", "latin1"),
    ],
    [
      "Shift_JIS",
      Buffer.from("82b182ea82cd93fa967b8cea0a620a", "hex"),
      Buffer.from("82b182ea82cd93fa967b8cea0a580a590a", "hex"),
    ],
    [
      "GBK",
      Buffer.from("d5e2cac7d6d0cec4cec4b1be0a620a", "hex"),
      Buffer.from("d5e2cac7d6d0cec4cec4b1be0a580a590a", "hex"),
    ],
  ])("keeps %s", async (_name, before, after) => {
    await readPut("t.txt", before);
    expect(await edit("t.txt", "b", "X\nY")).toMatchObject({ isError: false });
    expect((await kit.bytes("t.txt")).toString("hex")).toBe(after.toString("hex"));
  });

  it("writes new characters in the file's encoding, or says that they have no place", async () => {
    await readPut("sjis.txt", Buffer.from("82b182ea82cd93fa967b8cea0a620a", "hex"));
    expect((await edit("sjis.txt", "b", "日本")).isError).toBe(false);
    expect((await kit.bytes("sjis.txt")).toString("hex")).toBe("82b182ea82cd93fa967b8cea0a93fa967b0a");
    const refused = await edit("sjis.txt", "日本\n", "😀\n");
    expect(refused.text).toMatch(/shift_jis, which has no place for "😀"/);
    expect((await kit.bytes("sjis.txt")).toString("hex")).toBe("82b182ea82cd93fa967b8cea0a93fa967b0a");
  });

  it("keeps the mode, and replaces in one step", async () => {
    const path = await readPut("run.sh", "#!/bin/sh\necho a\n");
    await chmod(path, 0o751);
    const before = await stat(path);
    await edit("run.sh", "echo a", "echo b");
    const after = await stat(path);
    expect(after.mode & 0o7777).toBe(0o751);
    expect(after.ino).not.toBe(before.ino);
    expect(await readdir(kit.cwd)).toEqual(["run.sh"]);
  });

  it("writes in place where the file has several links, and through a link", async () => {
    const path = await readPut("a.txt", "one long line\n");
    await link(path, join(kit.cwd, "b.txt"));
    await symlink("a.txt", join(kit.cwd, "s.txt"));
    expect((await edit("s.txt", "one long line", "two")).isError).toBe(false);
    expect((await kit.bytes("b.txt")).toString()).toBe("two\n");
    expect((await stat(path)).nlink).toBe(2);
    expect((await kit.platform.fs.lstat(join(kit.cwd, "s.txt"))).isSymbolicLink()).toBe(true);
  });

  it("changes nothing when the file became another after it was judged", async () => {
    const path = await readPut("a.txt", "one\n");
    await kit.put("target.txt", "one\n");
    const run = await kit.prepare("Edit", { file_path: "a.txt", old_string: "one", new_string: "two" });
    await rm(path);
    await symlink("target.txt", path);
    expect((await run()).isError).toBe(true);
    expect((await kit.bytes("target.txt")).toString()).toBe("one\n");
  });

  it("creates or fills a file with an empty old_string, and says when it cannot", async () => {
    expect((await edit("new/deep/file.txt", "", "content\n")).isError).toBe(false);
    expect((await kit.bytes("new/deep/file.txt")).toString()).toBe("content\n");
    expect((await edit("new/deep/file.txt", "", "more")).text).toContain("old_string is empty");
    await readPut("empty.txt", "");
    expect((await edit("empty.txt", "", "x\n")).isError).toBe(false);
    expect((await kit.bytes("empty.txt")).toString()).toBe("x\n");
    expect((await edit("missing.txt", "a", "b")).text).toContain("does not exist");
  });

  it("refuses what would change nothing or cannot be written", async () => {
    await readPut("a.txt", "one\ntwo\n");
    expect((await edit("a.txt", "one", "one")).text).toContain("are the same");
    expect((await edit("a.txt", "one\ntwo", "one\r\ntwo")).text).toContain("only in line endings");
    expect((await edit("a.txt", "one", "\ud800")).text).toContain("no place for");
    await kit.put("bin", Buffer.from([0, 1, 2]));
    kit.seen.set(join(kit.cwd, "bin"), {
      digest: kit.platform.sha256(Buffer.from([0, 1, 2])),
      partial: false,
    });
    expect((await edit("bin", "a", "b")).text).toContain("binary");
    expect((await edit(".", "a", "b")).text).toContain("is a directory");
  });
});
