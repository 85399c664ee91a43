import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import type { ArtifactStore } from "../protocol/index.ts";
import { artifactContract, fileArtifacts, memoryArtifacts } from "./index.ts";

const root = await mkdtemp(join(tmpdir(), "castellan-artifacts-"));
afterAll(() => rm(root, { recursive: true, force: true }));
let made = 0;

describe.each([
  ["memory", memoryArtifacts],
  ["file", () => fileArtifacts(nodePlatform(), join(root, String(made++), "deep"))],
])("the contract of artifact stores: %s", (_name, make: () => ArtifactStore) => {
  it("can say whether a blob is there, hold on to it, and delete it where it is old", () => {
    const { has, touch, evict } = make();
    expect([typeof has, typeof touch, typeof evict]).toEqual(["function", "function", "function"]);
  });

  it.each(artifactContract().map((each) => [each.name, each] as const))("%s", async (_case, each) => {
    await expect(each.run(make())).resolves.toBeUndefined();
  });
});

describe("the contract finds a store that", () => {
  const broken: Record<string, (store: ArtifactStore) => Partial<ArtifactStore>> = {
    "forgets everything": () => ({ get: async () => undefined }),
    "makes up hashes": () => ({ put: async () => "f".repeat(64) }),
    "never deletes": () => ({ delete: async () => false }),
    "claims to have deleted": (store) => ({
      delete: async (hash) => {
        await store.delete(hash);
        return true;
      },
    }),
    "claims to have everything": () => ({ has: async () => true }),
    "claims to have nothing": () => ({ has: async () => false }),
    "evicts what is young": (store) => ({ evict: async (hash) => store.delete(hash) }),
    "evicts nothing": () => ({ evict: async () => false }),
    "claims to have evicted": () => ({ evict: async (_, before) => before > 0 }),
    "has touched everything": () => ({ touch: async () => true }),
    "touches nothing": () => ({ touch: async () => false }),
    "lists nothing": () => ({ list: async () => [] }),
    "lists twice": (store) => ({ list: async () => (await store.list()).flatMap((hash) => [hash, hash]) }),
  };
  it.each(Object.entries(broken))("%s", async (_name, breakIt) => {
    const outcomes = await Promise.allSettled(
      artifactContract().map((each) => {
        const store = memoryArtifacts();
        return each.run({ ...store, ...breakIt(store) });
      }),
    );
    expect(outcomes.some((outcome) => outcome.status === "rejected")).toBe(true);
  });
});
