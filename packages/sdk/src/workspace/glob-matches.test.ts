import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryFiles, nodePlatform } from "../platform/index.ts";
import { type GlobMatches, lookAtMatches } from "./glob-matches.ts";

const platform = nodePlatform();
let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "castellan-matches-")));
  await mkdir(join(root, "empty"));
  await mkdir(join(root, "full/dir/inner"), { recursive: true });
  await writeFile(join(root, "full/file"), "");
  await writeFile(join(root, "full/dir/file"), "");
  await symlink("../empty", join(root, "full/link"));
  await symlink("nowhere", join(root, "full/none"));
  await mkdir(join(root, "held/.vscode/.git"), { recursive: true });
  await writeFile(join(root, "held/.npmrc"), "");
});
afterAll(() => rm(root, { recursive: true, force: true }));

const look = (folder: string, rest: string[], isInside = (real: string) => real.startsWith(root)) =>
  lookAtMatches(platform, posix, join(root, folder), rest, isInside);

describe("what a pattern matches now", () => {
  it("is the directories among its matches, and links", async () => {
    expect(await look("full", ["[dfl]*"])).toEqual({
      leadsOut: false,
      directories: [join(root, "full/dir"), join(root, "full/link")],
    });
    expect(await look("full", ["*", "*"], () => true)).toEqual({
      leadsOut: true,
      directories: [join(root, "full/dir/inner")],
    });
    expect(await look("full", ["file*"])).toEqual({ leadsOut: false, directories: [] });
    expect(await look("missing", ["*"])).toEqual({ leadsOut: false, directories: [] });
  });

  it("leads out by a link alone", async () => {
    expect((await look("full", ["[df]*"], () => false)).leadsOut).toBe(false);
    expect((await look("full", ["l*"], () => false)).leadsOut).toBe(true);
    expect((await look("full", ["l*"])).leadsOut).toBe(false);
    // One that leads nowhere may lead anywhere later.
    expect((await look("full", ["n*"])).leadsOut).toBe(true);
  });

  it.each([[["**"]], [["*", "**"]], [["*", ".."]], [["..", "*"]]])("is not all known of %j", async (rest) => {
    expect(await look("empty", rest)).toEqual({ leadsOut: true });
  });

  it("is protected by the first name of a match", async () => {
    expect(await look("held", [".*"])).toMatchObject({ protected: { loaded: false } });
    expect((await look("held", [".v*", ".*"])).protected).toEqual({ name: ".vscode", loaded: false });
    expect((await look("held", [".n*"])).protected).toEqual({ name: ".npmrc", loaded: false });
    expect(await look("held", ["*"])).toEqual({ leadsOut: false, directories: [] });
  });

  it("does not count what stands above the pattern", async () => {
    await mkdir(join(root, "held/.vscode/plain"));
    expect((await look("held/.vscode", ["pl*"])).protected).toBeUndefined();
  });
});

describe("a pattern that spells a part of a protected name", () => {
  it.each([
    [[".bash*"], ".bashrc"],
    [[".BASH*"], ".bashrc"],
    [["sub*", ".npm*"], ".npmrc"],
    [["cront*"], "crontab"],
    [[".git?ub"], ".github/workflows"],
    [[".castell*"], ".castellan"],
    [[".mcp.*"], ".mcp.json"],
  ])("%j is protected without a file there", async (rest, name) => {
    expect((await look("empty", rest)).protected).toEqual({ name, loaded: name === ".mcp.json" });
  });

  // Without a letter it could be any name; of `/etc/castellan` only the whole path counts.
  it.each([[["*"]], [[".*"]], [["[ab]*"]], [["[a-z]*"]], [[".[!.]*"]], [["castell*"]], [["x*"]]])(
    "%j is not",
    async (rest) => {
      expect((await look("empty", rest)).protected).toBeUndefined();
    },
  );
});

describe("a pattern over many entries", () => {
  const many = (count: number, rest: string[]): Promise<GlobMatches> => {
    const names = Array.from({ length: count }, (_, i) => [`/w/f${i}`, ""]);
    const fs = memoryFiles(["/w"], Object.fromEntries(names));
    return lookAtMatches({ fs }, posix, "/w", rest, () => true);
  };

  it("is looked at up to a bound", async () => {
    expect(await many(4096, ["f1?"])).toEqual({ leadsOut: false, directories: [] });
    expect(await many(4097, ["f1?"])).toEqual({ leadsOut: true });
    expect(await many(4097, [".npm*"])).toEqual({
      leadsOut: true,
      protected: { name: ".npmrc", loaded: false },
    });
  });
});
