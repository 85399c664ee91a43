import type { Platform } from "../../../platform/index.ts";
import { CastellanError } from "../../../protocol/index.ts";
import { type ClaimingProcess, isAlive } from "../process-mark.ts";
import { heldByLease } from "../store-errors.ts";
import type { SqlThread } from "./thread.ts";

const TRIES = 20;

/** Who claims. */
export interface SqlClaimant {
  readonly store: string;
  readonly pid: number;
  readonly start: string;
  /** 0: none. */
  readonly lease: number;
}

/**
 * Takes a session for this store, also from a process that is gone or a lease that is lost.
 *
 * @param file for messages.
 * @throws `session_busy`, `store_failed`.
 */
export async function claimSession(
  platform: Platform,
  thread: SqlThread,
  file: string,
  sessionId: string,
  claimant: SqlClaimant,
): Promise<void> {
  const { store, pid, start, lease } = claimant;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const other = await ownerOf(platform, thread, sessionId);
    if (other === undefined) {
      const made = await thread.run({
        sql: "INSERT INTO owners (session, store, pid, start, lease) VALUES (?, ?, ?, ?, ?) ON CONFLICT (session) DO NOTHING",
        params: [[sessionId, store, pid, start, lease]],
      });
      if (made.changes > 0) return;
      continue;
    }
    if (other.store === store) {
      if (lease === 0 || other.lease === lease) return;
      if (other.lease !== 0 && other.counts) throw heldByLease(sessionId, other.lease);
    } else if (other.counts && (await isAlive(platform, other))) {
      throw busy(sessionId, file, other.pid);
    }
    const taken = await thread.run({
      sql: "UPDATE owners SET store = ?, pid = ?, start = ?, lease = ? WHERE session = ? AND store = ? AND lease = ?",
      params: [[store, pid, start, lease, sessionId, other.store, other.lease]],
    });
    if (taken.changes > 0) return;
  }
  throw new CastellanError("session_busy", `Too many claim session ${sessionId} in ${file} at once.`, {
    subject: sessionId,
    fix: "Try again.",
  });
}

/** Whether a living process holds a session. Looks, and claims nothing. */
export async function isClaimed(platform: Platform, thread: SqlThread, sessionId: string): Promise<boolean> {
  const owner = await ownerOf(platform, thread, sessionId);
  return owner?.counts === true && (await isAlive(platform, owner));
}

interface SqlOwner extends ClaimingProcess {
  readonly store: string;
  /** 0: none. */
  readonly lease: number;
  /** No lease, or one that has not run out. */
  readonly counts: boolean;
}

async function ownerOf(
  { clock }: Platform,
  thread: SqlThread,
  sessionId: string,
): Promise<SqlOwner | undefined> {
  const [row] = await thread.read(
    `SELECT store, pid, start, lease,
      lease = 0 OR EXISTS (SELECT 1 FROM leases WHERE epoch = owners.lease AND expires > ?) AS counts
      FROM owners WHERE session = ?`,
    clock.now(),
    sessionId,
  );
  if (row === undefined) return undefined;
  const owner = row as { store: string; pid: number; start: string; lease: number; counts: number };
  return { ...owner, counts: Number(owner.counts) === 1 };
}

function busy(sessionId: string, file: string, pid: number): CastellanError {
  return new CastellanError(
    "session_busy",
    `Session ${sessionId} in ${file} is in use: process ${pid} writes it.`,
    { subject: sessionId, fix: "End that run first, or fork the session." },
  );
}
