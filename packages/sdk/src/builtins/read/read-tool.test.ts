import { execFileSync } from "node:child_process";
import { mkdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtinKit, type Kit } from "../test-kit.ts";

let kit: Kit;
beforeEach(async () => {
  kit = await builtinKit();
});
afterEach(() => kit.remove());

const read = (file: string, more = {}) => kit.call("Read", { file_path: file, ...more });

describe("Read of a text", () => {
  it("numbers the lines as cat -n does, and remembers the digest", async () => {
    const path = await kit.put("a.txt", "one\n\n  three\n");
    const answer = await read("a.txt");
    expect(answer).toMatchObject({ isError: false, text: "     1\tone\n     2\t\n     3\t  three" });
    expect(kit.seen.get(path)).toEqual({ digest: kit.platform.sha256("one\n\n  three\n"), partial: false });
  });

  it("shows 2,000 lines and says how to go on", async () => {
    const path = await kit.put(
      "long.txt",
      Array.from({ length: 4321 }, (_, i) => `line ${i + 1}\n`).join(""),
    );
    const first = await read("long.txt");
    expect(first.text).toContain("  2000\tline 2000\n");
    expect(first.text).not.toContain("line 2001");
    expect(first.text).toContain("Lines 1 to 2000 of 4321 are shown. Go on with offset: 2001.");
    expect(kit.seen.get(path)?.partial).toBe(true);
    const last = await read("long.txt", { offset: 4001, limit: 1000 });
    expect(last.text.split("\n")[0]).toBe("  4001\tline 4001");
    expect(last.text).toContain("Lines 4001 to 4321 of 4321 are shown.)");
    expect((await read("long.txt", { offset: 5000 })).text).toContain("has 4321 lines");
  });

  it("cuts a long line at 2,000 characters, never inside one", async () => {
    await kit.put("wide.txt", `${"x".repeat(1999)}😀😀\nshort\n`);
    const { text } = await read("wide.txt");
    expect(text.split("\n")[0]).toBe(`     1\t${"x".repeat(1999)}… [4 more characters]`);
    expect(text).toContain("1 line longer than 2000 characters");
  });

  it("stops before the result is too large to be given whole", async () => {
    await kit.put("big.txt", `${"y".repeat(1900)}\n`.repeat(1000));
    const { text } = await read("big.txt");
    expect(text.length).toBeLessThan(250_000);
    expect(text).toMatch(/Lines 1 to \d+ of 1000 are shown\. Go on with offset: \d+\./);
  });

  it.each([
    ["utf-16le", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("héllo\r\n", "utf16le")]), "héllo"],
    ["utf-8 with a byte", Buffer.from("\ufeffhi\n"), "hi"],
    ["windows-1252", Buffer.from("caf\xe9 bar\n", "latin1"), "café bar"],
    ["shift_jis", Buffer.from("82b182ea82cd93fa967b8cea0a", "hex"), "これは日本語"],
  ])("reads %s", async (encoding, bytes, line) => {
    await kit.put("text", bytes);
    const { text } = await read("text");
    expect(text.split("\n")[0]).toBe(`     1\t${line}`);
    if (!encoding.startsWith("utf-8")) expect(text).toContain(`The file is ${encoding}`);
  });

  it("takes ~, relative paths from the shell's directory, and links", async () => {
    await kit.put("home/in-home.txt", "home\n");
    await kit.put("sub/b.txt", "b\n");
    await symlink("sub/b.txt", join(kit.cwd, "link"));
    expect((await read("~/in-home.txt")).text).toContain("home");
    expect((await read("link")).text).toContain("b");
    expect([...kit.seen.keys()].some((path) => path.endsWith("sub/b.txt"))).toBe(true);
    kit.shell.cwd = join(kit.cwd, "sub");
    expect((await read("b.txt")).text).toContain("b");
  });
});

describe("Read of something else", () => {
  it.each([
    ["png", "89504e470d0a1a0a0000", "image/png"],
    ["jpg", "ffd8ffe000104a464946", "image/jpeg"],
    ["gif", "474946383961010001", "image/gif"],
    ["webp", "524946460000000057454250565038", "image/webp"],
  ])("shows a %s as an image, whatever its name", async (_kind, hex, mimeType) => {
    await kit.put("picture.dat", Buffer.from(hex, "hex"));
    const { result } = await read("picture.dat");
    const data = Buffer.from(hex, "hex").toString("base64");
    expect(result.content).toEqual([{ type: "image", data, mimeType }]);
  });

  it("shows a notebook cell by cell, outputs and images too", async () => {
    const notebook = {
      cells: [
        { cell_type: "markdown", id: "m1", source: ["# Title\n", "text"] },
        {
          cell_type: "code",
          source: "print(1)",
          outputs: [
            { output_type: "stream", name: "stdout", text: ["1\n"] },
            {
              output_type: "display_data",
              data: { "image/png": "iVBORw0K\nGgo=", "text/plain": "<Figure>" },
            },
            { output_type: "error", ename: "E", evalue: "v", traceback: ["\u001b[31mBoom\u001b[0m"] },
          ],
        },
      ],
    };
    await kit.put("n.ipynb", JSON.stringify(notebook));
    const { text, result } = await read("n.ipynb");
    expect(text).toContain('<cell number="1" id="m1" type="markdown">\n# Title\ntext\n</cell>');
    expect(text).toContain("<output>\n1\n\n</output>");
    expect(text).toContain("<output>\nBoom\n</output>");
    expect(result.content).toContainEqual({ type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" });
    await kit.put("broken.ipynb", "{ not json");
    expect((await read("broken.ipynb")).text).toContain("     1\t{ not json");
  });

  it("names an image in a notebook that no provider would take", async () => {
    const image = (data: string) => ({ output_type: "display_data", data: { "image/png": data } });
    const huge = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(4_000_000)]);
    const outputs = [image(huge.toString("base64")), image("bm90IGFuIGltYWdl")];
    await kit.put("n.ipynb", JSON.stringify({ cells: [{ cell_type: "code", source: "", outputs }] }));
    const { text, result } = await read("n.ipynb");
    expect(text).toContain("(An image of 4000008 bytes that cannot be shown.)");
    expect(text).toContain("(An image of 12 bytes that cannot be shown.)");
    expect(result.content?.every((block) => block.type === "text")).toBe(true);
  });

  it("does not read a file without end that tells no size", async () => {
    if (process.platform !== "linux") return;
    expect((await read("/proc/version")).text).toMatch(/^ {5}1\tLinux version/);
    expect(await read("/proc/self/pagemap")).toMatchObject({
      isError: true,
      text: expect.stringContaining("over 64 MiB"),
    });
  });

  it("says what an empty, binary, PDF, huge or special file is", async () => {
    await kit.put("empty", "");
    await kit.put("data.bin", Buffer.from([0x7f, 0x45, 0, 0, 1]));
    await kit.put("paper.pdf", "%PDF-1.7 …");
    execFileSync("mkfifo", [join(kit.cwd, "pipe")]);
    execFileSync("truncate", ["-s", "70M", join(kit.cwd, "huge")]);
    await mkdir(join(kit.cwd, "dir"));
    expect(await read("empty")).toMatchObject({ isError: false, text: "(The file exists and is empty.)" });
    expect(await read("data.bin")).toMatchObject({
      isError: true,
      text: expect.stringContaining("binary file (5 bytes)"),
    });
    expect(await read("paper.pdf")).toMatchObject({
      isError: true,
      text: expect.stringContaining("needs the document support"),
    });
    expect(await read("pipe")).toMatchObject({ isError: true, text: expect.stringContaining("named pipe") });
    expect(await read("huge")).toMatchObject({ isError: true, text: expect.stringContaining("70 MiB") });
    expect(await read("dir")).toMatchObject({
      isError: true,
      text: expect.stringContaining("is a directory"),
    });
    expect(await read("/dev/zero")).toMatchObject({
      isError: true,
      text: expect.stringContaining("device file"),
    });
    expect([...kit.seen.keys()].map((path) => path.slice(kit.cwd.length + 1))).toEqual(["empty"]);
  });

  it("names no near file that may not be read under the path that was given", async () => {
    await kit.remove();
    kit = await builtinKit({ mayRead: (path) => !path.endsWith("/alias/notes.secret") });
    await kit.put("real/notes.secret", "");
    await kit.put("real/notes.md", "");
    await symlink("real", join(kit.cwd, "alias"));
    const { text } = await read("alias/notes.txt");
    expect(text).toContain("real/notes.md?");
    expect(text).not.toContain("secret");
  });

  it("names the nearest files when it is missing, but none that may not be read", async () => {
    await kit.remove();
    kit = await builtinKit({ mayRead: (path) => !path.endsWith("config.secret.json") });
    await kit.put("config.json", "{}");
    await kit.put("config.secret.json", "{}");
    await kit.put("other.txt", "");
    const { text, isError } = await read("confg.json");
    expect(isError).toBe(true);
    expect(text).toContain(`Did you mean ${join(kit.cwd, "config.json")}?`);
    expect(text).not.toContain("secret");
    expect((await read("config.yaml")).text).toContain("config.json");
    expect((await read("no/such/dir/x")).text).toContain("does not exist");
  });

  it("opens nothing that took the judged file's place", async () => {
    await kit.put("a.txt", "judged\n");
    await kit.put("secret.txt", "secret\n");
    const run = await kit.prepare("Read", { file_path: "a.txt" });
    await rm(join(kit.cwd, "a.txt"));
    await symlink("secret.txt", join(kit.cwd, "a.txt"));
    const swapped = await run();
    expect(swapped.isError).toBe(true);
    expect(swapped.text).not.toContain("secret\n");
    const again = await kit.prepare("Read", { file_path: "secret.txt" });
    await kit.put("new.txt", "other\n");
    await rename(join(kit.cwd, "new.txt"), join(kit.cwd, "secret.txt"));
    expect(await again()).toMatchObject({
      isError: true,
      text: expect.stringContaining("not what was judged"),
    });
  });

  it("refuses inputs that make no sense", async () => {
    expect((await read("a\0b")).text).toContain("zero byte");
    expect((await read("a", { pages: "1-3" })).text).toContain("pages: is an unknown key");
    expect((await read("a", { lines: 3 })).isError).toBe(true);
    expect((await kit.call("Read", {})).isError).toBe(true);
  });
});
