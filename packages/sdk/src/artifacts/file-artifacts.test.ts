import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import { isCastellanError } from "../protocol/index.ts";
import { fileArtifacts } from "./index.ts";

const platform = nodePlatform();
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "castellan-artifacts-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const bytes = new TextEncoder().encode("some text");

describe("file artifacts", () => {
  it("are for their owner alone", async () => {
    const directory = join(root, "modes");
    const hash = await fileArtifacts(platform, directory).put(bytes);
    const modes = await Promise.all(
      [directory, join(directory, hash.slice(0, 2)), join(directory, hash.slice(0, 2), hash)].map(
        async (path) => ((await stat(path)).mode & 0o777).toString(8),
      ),
    );
    expect(modes).toEqual(["700", "700", "600"]);
  });

  it("outlive the store object", async () => {
    const directory = join(root, "again");
    const hash = await fileArtifacts(platform, directory).put(bytes);
    const found = await fileArtifacts(platform, directory).get(hash);
    expect(new TextDecoder().decode(found)).toBe("some text");
  });

  it("leave no part behind when the write fails", async () => {
    const directory = join(root, "full");
    const fs = {
      ...platform.fs,
      rename: () => Promise.reject(Object.assign(new Error("disk is full"), { code: "ENOSPC" })),
    };
    const failing = fileArtifacts({ ...platform, fs }, directory).put(bytes);
    await expect(failing).rejects.toSatisfy((error) => isCastellanError(error, "store_failed"));
    const hash = platform.sha256(bytes);
    expect(await readdir(join(directory, hash.slice(0, 2)))).toEqual([]);
    expect(await fileArtifacts(platform, directory).list()).toEqual([]);
  });

  it("do not pass off a damaged file, and put mends it", async () => {
    const directory = join(root, "damaged");
    const store = fileArtifacts(platform, directory);
    const hash = await store.put(bytes);
    await writeFile(join(directory, hash.slice(0, 2), hash), "some te");
    await expect(store.get(hash)).rejects.toSatisfy((error) => isCastellanError(error, "artifact_invalid"));
    await store.put(bytes);
    expect(new TextDecoder().decode(await store.get(hash))).toBe("some text");
  });

  it("list only blobs", async () => {
    const directory = join(root, "strangers");
    const store = fileArtifacts(platform, directory);
    const hash = await store.put(bytes);
    await writeFile(join(directory, hash.slice(0, 2), ".part-a_123"), "x");
    await writeFile(join(directory, "README"), "x");
    expect(await store.list()).toEqual([hash]);
  });
});
