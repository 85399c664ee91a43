import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodePlatform } from "../../platform/index.ts";
import type { EventStore } from "../../protocol/index.ts";
import { eventStoreContract } from "./contract.ts";
import { jsonlStore } from "./jsonl/jsonl.ts";
import { memoryStore } from "./memory/memory.ts";
import { sqliteStore } from "./sqlite/sqlite.ts";
import { storeCases } from "./store.cases.ts";

const platform = nodePlatform();

describe("memoryStore keeps the contracts:", () => {
  for (const { name, run } of storeCases(async () => ({
    open: (clock) => memoryStore({ clock }),
    lasts: false,
  })))
    it(name, run);
});

describe("jsonlStore keeps the contracts:", () => {
  for (const { name, run } of storeCases(async () => {
    const home = await mkdtemp(join(tmpdir(), "castellan-store-"));
    return {
      open: (clock) =>
        jsonlStore({ home, platform: { ...platform, clock: { ...platform.clock, ...clock } } }),
      lasts: true,
      clear: () => rm(home, { recursive: true, force: true }),
    };
  }))
    it(name, run);
});

describe("sqliteStore keeps the contracts:", () => {
  for (const { name, run } of storeCases(async () => {
    const home = await mkdtemp(join(tmpdir(), "castellan-store-"));
    return {
      open: (clock) =>
        sqliteStore({ home, platform: { ...platform, clock: { ...platform.clock, ...clock } } }),
      lasts: true,
      clear: () => rm(home, { recursive: true, force: true }),
    };
  }))
    it(name, run);
});

describe("the contract finds a store that", () => {
  it.each<[string, (store: EventStore) => EventStore]>([
    ["forgets an append", (store) => ({ ...store, append: async () => [{ ok: true, seq: 3 }] })],
    [
      "stores a repeated batch twice",
      (store) => ({
        ...store,
        append: (batches) => store.append(batches.map((b) => ({ ...b, batchId: `${n++}` }))),
      }),
    ],
    ["lists nothing", (store) => ({ ...store, list: async () => [] })],
    ["never deletes", (store) => ({ ...store, delete: async () => false })],
    ["reads backwards", (store) => ({ ...store, read: async (id) => [...(await store.read(id))].reverse() })],
  ])("%s", async (_, broken) => {
    const cases = eventStoreContract(async () => ({ store: broken(memoryStore()) }));
    const outcomes = await Promise.allSettled(cases.map(({ run }) => run()));
    expect(outcomes.some(({ status }) => status === "rejected")).toBe(true);
  });
});

let n = 0;
