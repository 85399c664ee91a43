import type { LeaseStore } from "../../protocol/index.ts";
import { errorText } from "../../protocol/index.ts";
import type { Sessions } from "./types.ts";

/** Deletes old sessions in the background. */
export interface Cleaner {
  /** Begins, once a host and once a day. @param warn told why it could not, on one line. */
  start(days: number, warn: (line: string) => void): void;
  /** Resolves when nothing of it runs. */
  done(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** A lease that nobody gives back: while it lasts, no other process begins. */
const LEASE = "castellan-cleanup";

/** @param sessions those of the store that the host made itself. @param leases of the same store. */
export function createCleaner(sessions: Pick<Sessions, "prune">, leases: LeaseStore | undefined): Cleaner {
  let running: Promise<void> | undefined;

  async function clean(olderThanDays: number): Promise<void> {
    if (leases !== undefined && (await leases.acquire(LEASE, DAY_MS)) === undefined) return;
    await sessions.prune({ olderThanDays });
  }

  return {
    start(days, warn) {
      running ??= clean(days).catch((error: unknown) => {
        warn(`Old sessions could not be deleted (cleanupPeriodDays): ${errorText(error)}`);
      });
    },
    done: async () => running,
  };
}
