import { describe, expect, it } from "vitest";
import type { AppendBatch } from "../protocol/index.ts";
import { memoryStore } from "../sessions/index.ts";
import { faultyStore, STORE_FAULTS, type StoreFault } from "./index.ts";

function batch(after: number, batchId: string): AppendBatch {
  const event = { v: 1, id: batchId, ts: 1, type: "todos.changed", data: { todos: [] } } as const;
  return {
    sessionId: "s",
    project: "/p",
    expectedSeq: after,
    batchId,
    events: [{ ...event, seq: after + 1 }],
  };
}

function faulty(...script: (StoreFault | "none")[]) {
  const inner = memoryStore();
  const calls: string[] = [];
  const append: typeof inner.append = (batches) => {
    calls.push(...batches.map(({ batchId }) => batchId));
    return inner.append(batches);
  };
  return { inner, calls, store: faultyStore({ ...inner, append }, { script }) };
}

const stored = async (store: ReturnType<typeof memoryStore>): Promise<string[]> =>
  (await store.read("s")).map(({ id }) => id);

describe("a faulty store", () => {
  it("without faults is the store", async () => {
    const { store, calls, inner } = faulty();
    expect(await store.append([batch(0, "a")])).toEqual([{ ok: true, seq: 1 }]);
    expect(await store.read("s")).toEqual(await inner.read("s"));
    expect([calls, store.faults.told]).toEqual([["a"], []]);
  });

  it("loses a reply after it has stored", async () => {
    const { store, inner } = faulty("lost-reply");
    await expect(store.append([batch(0, "a")])).rejects.toThrow("lost-reply");
    expect(await stored(inner)).toEqual(["a"]);
    expect(await store.append([batch(0, "a")])).toEqual([{ ok: true, seq: 1 }]);
  });

  it("loses a request", async () => {
    const { store, calls } = faulty("lost-request");
    await expect(store.append([batch(0, "a")])).rejects.toThrow("lost-request");
    expect(calls).toEqual([]);
  });

  it("delivers twice", async () => {
    const { store, calls, inner } = faulty("duplicate");
    expect(await store.append([batch(0, "a")])).toEqual([{ ok: true, seq: 1 }]);
    expect(calls).toEqual(["a", "a"]);
    expect(await stored(inner)).toEqual(["a"]);
  });

  it("delivers again behind the next one", async () => {
    const { store, calls } = faulty("late-duplicate");
    await store.append([batch(0, "a")]);
    await store.append([batch(1, "b")]);
    expect(calls).toEqual(["a", "b", "a"]);
  });

  it("delivers late what it said was lost", async () => {
    const { store, calls } = faulty("late");
    await expect(store.append([batch(0, "a")])).rejects.toThrow("late");
    expect(calls).toEqual([]);
    await store.append([batch(0, "a")]);
    expect(calls).toEqual(["a", "a"]);
  });

  it("lets somebody else write first", async () => {
    const { store, inner } = faulty("conflict");
    expect(await store.append([batch(0, "a")])).toEqual([{ ok: false, code: "conflict", actualSeq: 1 }]);
    expect(await stored(inner)).toEqual(["a-somebody-else"]);
  });

  it("cannot be reached for four calls", async () => {
    const { store } = faulty("partition");
    for (let i = 0; i < 2; i += 1) await expect(store.append([batch(0, "a")])).rejects.toThrow("partition");
    await expect(store.read("s")).rejects.toThrow("partition");
    await expect(store.list()).rejects.toThrow("partition");
    expect(await store.append([batch(0, "a")])).toEqual([{ ok: true, seq: 1 }]);
  });

  it("holds calls up, and keeps their order", async () => {
    const { store, calls } = faulty("delay");
    const order: string[] = [];
    const slow = store.append([batch(0, "a")]).then(() => order.push("a"));
    const behind = store.append([batch(1, "b")]).then(() => order.push("b"));
    for (let turn = 0; turn < 10; turn += 1) await undefined;
    expect(calls).toEqual([]);
    await Promise.all([slow, behind]);
    expect(order).toEqual(["a", "b"]);
  });

  it("spares what cannot be repeated, and all once it is well", async () => {
    const { store } = faulty("lost-reply", "lost-request", "lost-request");
    expect(await store.leases.acquire("w", 1000)).toMatchObject({ worker: "w" });
    expect(await store.delete("s")).toBe(false);
    await store.faults.heal();
    expect(await store.append([batch(0, "a")])).toEqual([{ ok: true, seq: 1 }]);
  });

  it("goes wrong the same way for the same seed, and another way for another", async () => {
    const shares = Object.fromEntries(STORE_FAULTS.map((fault) => [fault, 0.1]));
    const run = async (seed: number): Promise<readonly string[]> => {
      const store = faultyStore(memoryStore(), { seed, shares });
      for (let i = 0; i < 100; i += 1) await store.append([batch(i, `b${i}`)]).catch(() => {});
      return store.faults.told;
    };
    const first = await run(7);
    expect(await run(7)).toEqual(first);
    expect(await run(8)).not.toEqual(first);
    expect(new Set(first).size).toBe(STORE_FAULTS.length);
  });

  it("takes a bundle whose event store is another object", async () => {
    const { append, ...rest } = memoryStore();
    const events = memoryStore();
    const store = faultyStore({ ...rest, artifacts: {} as never, events }, { script: ["lost-request"] });
    await expect(store.events.append([batch(0, "a")])).rejects.toThrow("lost-request");
    expect(append).toBeTypeOf("function");
  });
});
