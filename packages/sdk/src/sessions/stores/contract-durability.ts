import type { EventStore, Snapshot, Store } from "../../protocol/index.ts";
import { equal } from "./contract-equal.ts";
import { batch, count, type EventCase, events, ok } from "./contract-events.ts";

/** Far more than a test takes. */
const LONG_MS = 3_600_000;
const LOST = { ok: false, code: "lease_lost" };

/** What a store does with `sync`, with `epoch` and with snapshots. A port that a store lacks is not asked for. */
export const DURABILITY_CASES: Readonly<Record<string, EventCase>> = {
  "sync changes when an append resolves, and nothing else": async (store, reopen) => {
    const synced = { ...batch("a", 0, 2), sync: true };
    equal(await store.append([synced]), [ok(2)]);
    equal(await store.append([synced]), [ok(2)]);
    equal(await store.append([batch("a", 2, 1), { ...batch("b", 0, 1), sync: true }]), [ok(3), ok(1)]);
    equal(await (await reopen()).read("a"), events(0, 3));
  },

  "appends with and without sync that overlap keep their order": async (store) => {
    const answers = await Promise.all(
      count(30).map((i) => store.append([{ ...batch("a", i, 1), sync: i % 3 === 0 }])),
    );
    equal(
      answers,
      count(30).map((i) => [ok(i + 1)]),
    );
    equal(await store.read("a"), events(0, 30));
  },

  "the last snapshot is read, until its session is deleted": async (store, reopen) => {
    const { readSnapshot, writeSnapshot } = store;
    if (readSnapshot === undefined || writeSnapshot === undefined) return;
    equal(await store.readSnapshot?.("a"), undefined);
    await store.append([batch("a", 0, 5), batch("b", 0, 1)]);
    equal(await store.readSnapshot?.("a"), undefined);
    await store.writeSnapshot?.("a", snapshot(2, "first"));
    await store.writeSnapshot?.("a", snapshot(5, 'second \u2028 "é" 🏰'));
    equal(await store.readSnapshot?.("b"), undefined);
    const again = await reopen();
    equal(await again.readSnapshot?.("a"), snapshot(5, 'second \u2028 "é" 🏰'));
    equal(await again.read("a", 4), events(4, 1));
    await again.delete("a");
    equal(await again.readSnapshot?.("a"), undefined);
  },

  "a snapshot of a session that is not there is not kept": async (store) => {
    await store.writeSnapshot?.("nobody", snapshot(1, "x"));
    equal(await store.readSnapshot?.("nobody"), undefined);
    equal(await store.list(), []);
  },

  "nothing is stored under a lease that is lost": async (store, reopen) => {
    const leases = leasesOf(store);
    if (leases === undefined) return;
    const lease = await leases.acquire("w1", LONG_MS);
    if (lease === undefined) throw new Error("acquire gave no lease");
    const { epoch } = lease;
    equal(await store.append([{ ...batch("a", 0, 1), epoch: epoch + 1000 }]), [LOST]);
    equal(await store.append([{ ...batch("a", 0, 2), epoch }]), [ok(2)]);
    equal(await store.append([{ ...batch("a", 2, 1), epoch, sync: true }]), [ok(3)]);
    await leases.release(lease);
    equal(await store.append([{ ...batch("a", 3, 1), epoch }]), [LOST]);
    // It is stored, whoever asks again.
    equal(await store.append([{ ...batch("a", 2, 1), epoch }]), [ok(3)]);
    equal(await (await reopen()).read("a"), events(0, 3));
  },

  "a session belongs to the lease that writes it, until it is released": async (store) => {
    const leases = leasesOf(store);
    if (leases === undefined) return;
    const one = await leases.acquire("w1", LONG_MS);
    const two = await leases.acquire("w2", LONG_MS);
    if (one === undefined || two === undefined) throw new Error("acquire gave no lease");
    equal(await store.append([{ ...batch("a", 0, 1), epoch: one.epoch }]), [ok(1)]);
    equal(await refused(store.append([{ ...batch("a", 1, 1), epoch: two.epoch }])), "session_busy");
    await store.release?.("a");
    equal(await store.append([{ ...batch("a", 1, 1), epoch: two.epoch }]), [ok(2)]);
    await leases.release(two);
    equal(await store.append([{ ...batch("a", 2, 1), epoch: one.epoch }]), [ok(3)]);
    equal(await store.append([{ ...batch("a", 3, 1), epoch: two.epoch }]), [LOST]);
    equal(await store.read("a"), events(0, 3));
  },
};

function leasesOf(store: EventStore): Store["leases"] | undefined {
  return (store as Partial<Store>).leases;
}

async function refused(answer: Promise<unknown>): Promise<unknown> {
  return answer.then(
    () => "resolved",
    (error: { code?: unknown }) => error.code,
  );
}

function snapshot(seq: number, state: string): Snapshot {
  return { v: 1, seq, hash: "0".repeat(64), state };
}
