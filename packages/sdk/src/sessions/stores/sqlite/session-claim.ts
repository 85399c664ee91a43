import type { Platform } from "../../../platform/index.ts";
import { CastellanError } from "../../../protocol/index.ts";
import { processMark } from "../process-mark.ts";
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
    const [row] = await thread.read(
      `SELECT store, pid, start, lease,
        EXISTS (SELECT 1 FROM leases WHERE epoch = owners.lease AND expires > ?) AS live
        FROM owners WHERE session = ?`,
      platform.clock.now(),
      sessionId,
    );
    if (row === undefined) {
      const made = await thread.run({
        sql: "INSERT INTO owners (session, store, pid, start, lease) VALUES (?, ?, ?, ?, ?) ON CONFLICT (session) DO NOTHING",
        params: [[sessionId, store, pid, start, lease]],
      });
      if (made.changes > 0) return;
      continue;
    }
    const other = row as { store: string; pid: number; start: string; lease: number; live: number };
    const bound = other.lease !== 0 && Number(other.live) === 1;
    if (other.store === store) {
      if (lease === 0 || other.lease === lease) return;
      if (bound) throw heldByLease(sessionId, other.lease);
    } else if ((other.lease === 0 || bound) && (await isAlive(platform, other))) {
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

async function isAlive(platform: Platform, { pid, start }: { pid: number; start: string }): Promise<boolean> {
  const mark = await processMark(platform, pid);
  return mark !== undefined && (mark === start || mark === "" || start === "");
}

function busy(sessionId: string, file: string, pid: number): CastellanError {
  return new CastellanError(
    "session_busy",
    `Session ${sessionId} in ${file} is in use: process ${pid} writes it.`,
    { subject: sessionId, fix: "End that run first, or fork the session." },
  );
}
