import { mkdtemp, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodePlatform, type Platform } from "../../platform/index.ts";
import { loadFile, MOST_BYTES } from "./load-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "castellan-load-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A platform on which a file has this size when it is looked at, and its real one when it is read. */
function growing(size: number): Platform {
  const platform = nodePlatform();
  const open: Platform["fs"]["open"] = async (...args) => {
    const handle = await platform.fs.open(...args);
    const look = handle.stat.bind(handle) as () => Promise<object>;
    handle.stat = (async () => Object.assign(await look(), { size })) as typeof handle.stat;
    return handle;
  };
  const lstat = (async (path: string) =>
    Object.assign(await platform.fs.lstat(path), { size })) as Platform["fs"]["lstat"];
  return { ...platform, fs: { ...platform.fs, open, lstat } };
}

async function load(platform: Platform, name: string) {
  const path = join(folder, name);
  const { dev, ino } = await stat(path);
  const judged = { given: path, real: path, hops: [], exists: true, inside: true, identity: { dev, ino } };
  return loadFile(platform, judged);
}

describe("loadFile", () => {
  it("reads a file that has grown since it was looked at, to its end", async () => {
    await writeFile(join(folder, "a"), "0123456789".repeat(100_000));
    const loaded = await load(growing(5), "a");
    expect(loaded.kind === "file" && loaded.file.bytes.byteLength).toBe(1_000_000);
  });

  it("reads one that has shrunk, and an empty one", async () => {
    await writeFile(join(folder, "a"), "short");
    const shrunk = await load(growing(5_000), "a");
    expect(shrunk.kind === "file" && Buffer.from(shrunk.file.bytes).toString()).toBe("short");
    await writeFile(join(folder, "b"), "");
    const empty = await load(nodePlatform(), "b");
    expect(empty.kind === "file" && empty.file.bytes.byteLength).toBe(0);
  });

  it("refuses one that grows past the limit", async () => {
    await writeFile(join(folder, "a"), "x");
    await truncate(join(folder, "a"), MOST_BYTES + 1);
    expect(await load(growing(5), "a")).toMatchObject({
      kind: "refused",
      text: expect.stringContaining("is too large: over 64 MiB"),
    });
  });
});
