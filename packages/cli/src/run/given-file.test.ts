import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EXIT } from "../exit-codes.ts";
import { givenFile } from "./given-file.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "given-file-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const read = (name: string): Promise<string> => givenFile("--cases", join(folder, name), "Name a file.");

describe("givenFile", () => {
  it("gives the text without its byte order mark, through a link too", async () => {
    await writeFile(join(folder, "a"), "\uFEFFé\n");
    await symlink("a", join(folder, "b"));
    expect([await read("a"), await read("b")]).toEqual(["é\n", "é\n"]);
  });

  it.each<[string, string, (file: string) => Promise<unknown>]>([
    ["is not there", "there is no such file", () => Promise.resolve()],
    ["is a folder", "it is a folder", (file) => mkdir(file)],
    ["is no UTF-8", "it is no UTF-8", (file) => writeFile(file, Uint8Array.of(0x7b, 0xff))],
    ["is a link to itself", "its links lead in a circle", (file) => symlink("x", file)],
  ])("names flag, file, why and fix of one that %s", async (_, why, make) => {
    await make(join(folder, "x"));
    await expect(read("x")).rejects.toMatchObject({
      exitCode: EXIT.usage,
      message: `--cases ${join(folder, "x")} cannot be read: ${why}. Name a file.`,
    });
  });
});
