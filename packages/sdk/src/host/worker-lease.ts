import type { Platform } from "../platform/index.ts";
import type { EventStore, Lease, LeaseStore, Store } from "../protocol/index.ts";
import { CastellanError, errorText } from "../protocol/index.ts";
import { badOption } from "./options/fault.ts";

/** Who writes the sessions of a host, where several machines share its store. */
export interface WorkerOptions {
  /** One that no other running worker of the store has. */
  readonly name: string;
  /** How long a worker that was cut off keeps others out; 1,000 or more, default 30,000 milliseconds. */
  readonly leaseMs?: number;
}

/** The lease of a host: taken with its first session, renewed while it is open. */
export interface WorkerLease {
  /** What appends name. Rejects with CastellanError `session_busy` or `lease_lost`. */
  epoch(): Promise<number>;
  /** Calls `end` once the lease is lost. @returns what takes that back. */
  onLost(end: (error: CastellanError) => void): () => void;
  /** Lets others have it. */
  release(): Promise<void>;
}

const LEASE_MS = 30_000;

/** @throws CastellanError `invalid_option` for a store without leases. */
export function workerLease(
  { name, leaseMs = LEASE_MS }: WorkerOptions,
  store: EventStore | Store | undefined,
  { clock }: Pick<Platform, "clock">,
): WorkerLease {
  const leases = leasesOf(store);
  const listeners = new Set<(error: CastellanError) => void>();
  let taken: Promise<number> | undefined;
  let held: Lease | undefined;
  let lost: CastellanError | undefined;
  let timer: { cancel(): void } | undefined;
  let isOver = false;

  function lose(why: string): void {
    if (lost !== undefined || isOver) return;
    held = undefined;
    lost = leaseLost(name, why);
    for (const end of [...listeners]) end(lost);
  }

  /** A third of its time is left twice over: one renewal may fail. */
  function renewLater(untilMs: number): void {
    if (isOver) return;
    timer = clock.timer(leaseMs / 3, () => void renew(untilMs), true);
  }

  async function renew(untilMs: number): Promise<void> {
    if (held === undefined || isOver) return;
    const began = clock.monotonic();
    try {
      const again = await leases.renew(held, leaseMs);
      if (again === undefined) return lose("another worker has it, or it ran out");
      held = again;
      renewLater(began + leaseMs);
    } catch (error) {
      if (clock.monotonic() + leaseMs / 3 >= untilMs) lose(`it could not be renewed: ${errorText(error)}`);
      else renewLater(untilMs);
    }
  }

  async function take(): Promise<number> {
    const began = clock.monotonic();
    const lease = await leases.acquire(name, leaseMs);
    if (lease === undefined) throw nameTaken(name);
    held = lease;
    renewLater(began + leaseMs);
    return lease.epoch;
  }

  return {
    async epoch() {
      if (lost !== undefined) throw lost;
      taken ??= take();
      try {
        return await taken;
      } catch (error) {
        taken = undefined;
        throw error;
      }
    },
    onLost(end) {
      listeners.add(end);
      return () => void listeners.delete(end);
    },
    async release() {
      await taken?.catch(() => undefined);
      isOver = true;
      timer?.cancel();
      if (held !== undefined) await leases.release(held);
    },
  };
}

function leasesOf(store: EventStore | Store | undefined): LeaseStore {
  if (store !== undefined && "leases" in store) return store.leases;
  throw badOption(
    "worker",
    "createHost options.worker needs a store that keeps leases, and options.store has none.",
    "Give a store with all ports, or leave worker out.",
  );
}

function leaseLost(name: string, why: string): CastellanError {
  return new CastellanError(
    "lease_lost",
    `The worker ${name} has lost its lease (${why}), so its sessions end.`,
    {
      subject: name,
      fix: "Resume them with a new host.",
    },
  );
}

function nameTaken(name: string): CastellanError {
  return new CastellanError("session_busy", `A worker ${name} writes in this store already.`, {
    subject: name,
    fix: "Give each worker a name of its own, or wait until the lease of the other has run out.",
  });
}
