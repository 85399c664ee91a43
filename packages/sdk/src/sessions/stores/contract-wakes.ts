import { rejects } from "node:assert";
import type { Wake, WakeStore } from "../../protocol/index.ts";
import { type ContractCase, type PortUnderTest, portCases } from "./contract-case.ts";
import { equal } from "./contract-equal.ts";

/**
 * What every wake store must do. `make` is called once a case and gives an empty store.
 *
 * @example
 * for (const { name, run } of wakeStoreContract(async () => ({ port: memoryStore().wakes }))) test(name, run);
 */
export function wakeStoreContract(make: () => Promise<PortUnderTest<WakeStore>>): ContractCase[] {
  return portCases<WakeStore, PortUnderTest<WakeStore>>(make, {
    "what is not there": async (store) => {
      equal(await store.due(1e15, 10), []);
      equal(await store.list("s1"), []);
      equal(await store.remove("w1"), false);
    },

    "due ones come earliest first, up to a limit, and stay": async (store, again) => {
      for (const at of [30, 9, 1000, 20]) await store.put(wake(`w${at}`, at));
      equal(await store.due(8, 10), []);
      equal(await ids(store.due(9, 10)), ["w9"]);
      equal(await ids(store.due(30, 10)), ["w9", "w20", "w30"]);
      const later = await again();
      equal(await ids(later.due(30, 2)), ["w9", "w20"]);
      equal(await later.due(30, 0), []);
      equal(await ids(later.due(Number.MAX_SAFE_INTEGER, 10)), ["w9", "w20", "w30", "w1000"]);
    },

    "at one time they come by id": async (store) => {
      for (const id of ["b", "a", "c"]) await store.put(wake(id, 5));
      equal(await ids(store.due(5, 10)), ["a", "b", "c"]);
    },

    "a wake is given as it was kept, whatever is in it": async (store, again) => {
      const data = { text: 'a "\u2028" é🏰\u0000', list: [1, null, false], ["__proto__"]: { x: 1 } };
      const full = { ...wake("w1", 1_700_000_000_000), kind: "mailbox", data };
      await store.put(full);
      data.list.push(2);
      const later = await again();
      equal(await later.list("s1"), [{ ...full, data: { ...data, list: [1, null, false] } }]);
    },

    "a wake is kept in place of the one before": async (store) => {
      await store.put(wake("w1", 10));
      await store.put(wake("w1", 50));
      equal(await store.due(40, 10), []);
      await store.put({ ...wake("w1", 20), sessionId: "s2" });
      equal(await ids(store.due(99, 10)), ["w1"]);
      equal(await store.list("s1"), []);
      equal(await ids(store.list("s2")), ["w1"]);
    },

    "a session has its own": async (store) => {
      await store.put(wake("w2", 20));
      await store.put(wake("w1", 10));
      await store.put({ ...wake("w3", 5), sessionId: "s2" });
      equal(await ids(store.list("s1")), ["w1", "w2"]);
      equal(await store.list("s"), []);
    },

    "what is removed never comes due": async (store, again) => {
      await store.put(wake("w1", 10));
      await store.put(wake("w2", 10));
      equal(await store.remove("w1"), true);
      equal(await store.remove("w1"), false);
      equal(await ids((await again()).due(10, 10)), ["w2"]);
    },

    "many at once are all kept": async (store) => {
      const all = Array.from({ length: 40 }, (_, i) => `w${i}`);
      await Promise.all(all.map((id, i) => store.put(wake(id, i))));
      equal(await ids(store.due(100, 100)), all);
    },

    "ids and times that are none are refused": async (store) => {
      for (const id of ["", "..", "../x", "a.b", "x".repeat(129)]) {
        await rejects(store.put(wake(id, 1)));
        equal(await store.remove(id), false);
      }
      for (const at of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
        await rejects(store.put(wake("w1", at)));
      equal(await store.due(Number.MAX_SAFE_INTEGER, 10), []);
    },
  });
}

function wake(id: string, at: number): Wake {
  return { id, sessionId: "s1", at, kind: "timer", data: { n: at } };
}

async function ids(wakes: Promise<readonly Wake[]>): Promise<string[]> {
  return (await wakes).map(({ id }) => id);
}
