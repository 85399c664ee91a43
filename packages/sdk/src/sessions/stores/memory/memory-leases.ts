import type { Clock } from "../../../platform/index.ts";
import type { Lease, LeaseStore } from "../../../protocol/index.ts";
import { checkTtl } from "../check-ports.ts";

/** Leases in memory, which also tell the event store beside them whether one still counts. */
export interface MemoryLeases extends LeaseStore {
  isLive(epoch: number): boolean;
}

export function memoryLeases(clock: Pick<Clock, "now">): MemoryLeases {
  const byEpoch = new Map<number, Lease>();
  let highest = 0;

  function live(epoch: number): Lease | undefined {
    const lease = byEpoch.get(epoch);
    return lease !== undefined && lease.expiresAt > clock.now() ? lease : undefined;
  }

  function keep(worker: string, epoch: number, ttlMs: number): Lease {
    const lease: Lease = { worker, epoch, expiresAt: clock.now() + ttlMs };
    byEpoch.set(epoch, lease);
    return lease;
  }

  return {
    isLive: (epoch) => live(epoch) !== undefined,
    async acquire(worker, ttlMs) {
      checkTtl(ttlMs);
      for (const { epoch, worker: holder } of byEpoch.values()) {
        if (live(epoch) === undefined) byEpoch.delete(epoch);
        else if (holder === worker) return undefined;
      }
      highest += 1;
      return keep(worker, highest, ttlMs);
    },
    async renew({ worker, epoch }, ttlMs) {
      checkTtl(ttlMs);
      return live(epoch)?.worker === worker ? keep(worker, epoch, ttlMs) : undefined;
    },
    async release({ worker, epoch }) {
      if (byEpoch.get(epoch)?.worker === worker) byEpoch.delete(epoch);
    },
  };
}
