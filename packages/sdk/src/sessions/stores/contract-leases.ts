import { rejects } from "node:assert";
import type { Lease, LeaseStore } from "../../protocol/index.ts";
import { type ContractCase, type PortUnderTest, portCases } from "./contract-case.ts";
import { equal } from "./contract-equal.ts";

/** A lease store under test, with the clock that it reads. */
export interface LeasesUnderTest extends PortUnderTest<LeaseStore> {
  /** Moves the store's clock, also back. */
  moveClock(ms: number): void;
  /** What it shows. */
  now(): number;
}

/**
 * What every lease store must do. `make` is called once a case and gives an empty store.
 *
 * @example
 * for (const { name, run } of leaseStoreContract(makeLeases)) test(name, run);
 */
export function leaseStoreContract(make: () => Promise<LeasesUnderTest>): ContractCase[] {
  return portCases<LeaseStore, LeasesUnderTest>(make, {
    "a lease runs for its time": async (leases, _again, { now }) => {
      const lease = await given(leases.acquire("w", 1000));
      equal([lease.worker, lease.expiresAt], ["w", now() + 1000]);
    },

    "a worker name has one lease at a time, others have their own": async (leases) => {
      const one = await given(leases.acquire("w", 1000));
      equal(await leases.acquire("w", 1000), undefined);
      const other = await given(leases.acquire("x", 1000));
      equal(other.epoch > one.epoch, true);
    },

    "at its end a lease is lost, and the name free": async (leases, _again, { moveClock }) => {
      const one = await given(leases.acquire("w", 1000));
      moveClock(999);
      equal(await leases.acquire("w", 1000), undefined);
      moveClock(1);
      equal(await leases.renew(one, 1000), undefined);
      const two = await given(leases.acquire("w", 1000));
      equal(two.epoch > one.epoch, true);
      equal(await leases.renew(one, 1000), undefined);
    },

    "a renewed lease runs on, under the same epoch": async (leases, again, { moveClock, now }) => {
      const one = await given(leases.acquire("w", 1000));
      moveClock(900);
      const renewed = await given(leases.renew(one, 1000));
      equal(renewed, { worker: "w", epoch: one.epoch, expiresAt: now() + 1000 });
      moveClock(900);
      equal(await (await again()).acquire("w", 1000), undefined);
    },

    "a released lease is lost at once, and its epoch never comes again": async (leases, again) => {
      const one = await given(leases.acquire("w", 1000));
      await leases.release(one);
      await leases.release(one);
      equal(await leases.renew(one, 1000), undefined);
      const later = await again();
      equal((await given(later.acquire("w", 1000))).epoch > one.epoch, true);
    },

    "who lost a lease cannot end that of the next": async (leases, _again, { moveClock }) => {
      const one = await given(leases.acquire("w", 1000));
      moveClock(1000);
      const two = await given(leases.acquire("w", 1000));
      await leases.release(one);
      equal((await given(leases.renew(two, 1000))).epoch, two.epoch);
    },

    "a lease is renewed by its worker only": async (leases) => {
      const one = await given(leases.acquire("w", 1000));
      await leases.acquire("x", 1000);
      equal(await leases.renew({ ...one, worker: "x" }, 1000), undefined);
      await leases.release({ ...one, worker: "x" });
      equal((await given(leases.renew(one, 1000))).epoch, one.epoch);
    },

    "a clock that jumps back gives no epoch twice": async (leases, again, { moveClock }) => {
      const one = await given(leases.acquire("w", 1000));
      moveClock(5000);
      const two = await given(leases.acquire("w", 1000));
      moveClock(-5000);
      equal(await leases.acquire("w", 1000), undefined);
      equal(await leases.renew(one, 1000), undefined);
      const three = await given((await again()).acquire("x", 1000));
      equal(one.epoch < two.epoch && two.epoch < three.epoch, true);
    },

    "of many that ask at once for one name, one gets the lease": async (leases) => {
      const asked = await Promise.all(Array.from({ length: 10 }, () => leases.acquire("w", 1000)));
      equal(asked.filter((lease) => lease !== undefined).length, 1);
    },

    "many names at once get an epoch each": async (leases) => {
      const names = Array.from({ length: 10 }, (_, i) => `w${i}`);
      const all = await Promise.all(names.map((name) => given(leases.acquire(name, 1000))));
      equal(new Set(all.map(({ epoch }) => epoch)).size, 10);
    },

    "any name is a name": async (leases, again) => {
      let open = leases;
      for (const name of ["__proto__", "../../x", "a b\u0000é🏰", ""]) {
        await given(open.acquire(name, 1000));
        open = await again();
        equal(await open.acquire(name, 1000), undefined);
      }
    },

    "a time that is none is refused": async (leases) => {
      for (const ms of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) await rejects(leases.acquire("w", ms));
      await given(leases.acquire("w", 1000));
    },
  });
}

async function given(asked: Promise<Lease | undefined>): Promise<Lease> {
  const lease = await asked;
  if (lease === undefined) throw new Error("No lease was given.");
  return lease;
}
