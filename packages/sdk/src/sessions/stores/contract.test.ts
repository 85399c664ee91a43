import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EventStore } from "../../protocol/index.ts";
import { eventStoreContract, type StoreUnderTest } from "./contract.ts";
import { jsonlStore } from "./jsonl.ts";
import { memoryStore } from "./memory.ts";

describe("memoryStore keeps the contract:", () => {
  for (const { name, run } of eventStoreContract(async () => ({ store: memoryStore() }))) it(name, run);
});

describe("jsonlStore keeps the contract:", () => {
  for (const { name, run } of eventStoreContract(jsonlUnderTest)) it(name, run);
});

async function jsonlUnderTest(): Promise<StoreUnderTest> {
  const home = await mkdtemp(join(tmpdir(), "castellan-store-"));
  const store = jsonlStore({ home });
  return {
    store,
    async reopen() {
      await store.close();
      return jsonlStore({ home });
    },
    dispose: () => rm(home, { recursive: true, force: true }),
  };
}

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
