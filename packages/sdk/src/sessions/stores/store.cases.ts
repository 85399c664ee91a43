import type { Clock } from "../../platform/index.ts";
import type { EventStore } from "../../protocol/index.ts";
import { eventStoreContract } from "./contract.ts";
import { approvalStoreContract } from "./contract-approvals.ts";
import type { ContractCase } from "./contract-case.ts";
import { leaseStoreContract } from "./contract-leases.ts";
import { wakeStoreContract } from "./contract-wakes.ts";
import type { SessionStore } from "./session-store.ts";

/** One place for the data of a store. */
export interface StorePlace {
  /** A store over the data. */
  open(clock: Pick<Clock, "now">): SessionStore;
  /** Whether the data outlives the store. */
  readonly lasts: boolean;
  clear?(): Promise<void>;
}

/** The cases of all ports but artifacts, over one kind of store. `wrap` stands between the store and the cases. */
export function storeCases(
  makePlace: () => Promise<StorePlace>,
  wrap: <S extends EventStore>(store: S) => S = (store) => store,
): ContractCase[] {
  async function under<K extends "leases" | "approvals" | "wakes">(kind: K): Promise<PortParts<K>> {
    const place = await makePlace();
    let ms = 1_000_000;
    const clock = { now: () => ms };
    let store = wrap(place.open(clock));
    return {
      port: store[kind],
      now: clock.now,
      moveClock: (by) => {
        ms += by;
      },
      async reopen() {
        if (!place.lasts) return store[kind];
        await store.close();
        store = wrap(place.open(clock));
        return store[kind];
      },
      async dispose() {
        await store.close();
        await place.clear?.();
      },
    };
  }

  const events = eventStoreContract(async () => {
    const place = await makePlace();
    const clock = { now: () => 1_000_000 };
    let store: EventStore = wrap(place.open(clock));
    return {
      store,
      ...(place.lasts
        ? {
            async reopen() {
              await store.close();
              store = wrap(place.open(clock));
              return store;
            },
          }
        : {}),
      dispose: async () => place.clear?.(),
    };
  });
  return [
    ...events.map((each) => named("events", each)),
    ...leaseStoreContract(() => under("leases")).map((each) => named("leases", each)),
    ...approvalStoreContract(() => under("approvals")).map((each) => named("approvals", each)),
    ...wakeStoreContract(() => under("wakes")).map((each) => named("wakes", each)),
  ];
}

interface PortParts<K extends keyof SessionStore> {
  readonly port: SessionStore[K];
  now(): number;
  moveClock(ms: number): void;
  reopen(): Promise<SessionStore[K]>;
  dispose(): Promise<void>;
}

function named(port: string, { name, run }: ContractCase): ContractCase {
  return { name: `${port}: ${name}`, run };
}
