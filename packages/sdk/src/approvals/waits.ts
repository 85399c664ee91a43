import type { Clock, Timer } from "../platform/index.ts";
import type { ApprovalDecision, ApprovalStore, EventData } from "../protocol/index.ts";
import { type Change, watchStore } from "./store-watch.ts";

/** setTimeout cannot wait longer than this many milliseconds. */
export const LONGEST_MS = 2_147_483_647;
/** When a store that could not be read is looked at again, in milliseconds. */
const AGAIN_MS = 700;

type Requested = EventData<"approval.requested">;

/** Who of a session waits for a decision. One look at the store serves them all. */
export interface Waits {
  /**
   * Resolves with the decision that the store has, with what `end` was given, or with what `expired` gives once the
   * question's time has passed. Rejects with the signal's reason.
   */
  decision(requested: Requested, signal: AbortSignal): Promise<ApprovalDecision>;
  isWaiting(approvalId: string): boolean;
  /** Ends the wait for one as if this were its decision. */
  end(approvalId: string, decision: ApprovalDecision): void;
}

/** @param expired ends a question whose time has passed; gives what it comes to, and must not reject. */
export function createWaits(
  store: ApprovalStore,
  clock: Clock,
  expired: (requested: Requested) => Promise<ApprovalDecision>,
): Waits {
  /** By the id of the approval: takes its decision. */
  const waiting = new Map<string, (decision: ApprovalDecision) => void>();
  let unwatch: (() => void) | undefined;
  let isLooking = false;
  const toLookAt = new Set<string>();
  let again: Timer | undefined;

  /** Looks for decisions about those of which something may be new; asked for while it looks, it looks once more. */
  async function look(change?: Change): Promise<void> {
    for (const id of waiting.keys()) if (mayBeNew(id, change)) toLookAt.add(id);
    if (isLooking) return;
    isLooking = true;
    while (toLookAt.size > 0) {
      const ids = [...toLookAt];
      toLookAt.clear();
      await Promise.all(
        ids.map(async (id) => {
          try {
            const decision = await store.decisionOf(id);
            if (decision !== undefined) waiting.get(id)?.(decision);
          } catch {
            if (waiting.has(id)) again ??= clock.timer(AGAIN_MS, lookAgain);
          }
        }),
      );
    }
    isLooking = false;
  }

  /** Whether it changes or not: what was missed may be its last change. */
  function lookAgain(): void {
    again = undefined;
    void look();
  }

  function enter(id: string, decided: (decision: ApprovalDecision) => void): void {
    waiting.set(id, decided);
    unwatch ??= watchStore(store, clock, (change) => void look(change));
  }

  function leave(id: string): void {
    waiting.delete(id);
    if (waiting.size > 0) return;
    unwatch?.();
    unwatch = undefined;
    again?.cancel();
    again = undefined;
  }

  return {
    decision(requested, signal) {
      const { approvalId, expiresAt } = requested;
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        let timer: Timer | undefined;
        const settle = (): void => {
          leave(approvalId);
          timer?.cancel();
          signal.removeEventListener("abort", onAbort);
        };
        const onAbort = (): void => {
          settle();
          reject(signal.reason);
        };
        const decided = (found: ApprovalDecision): void => {
          settle();
          resolve(found);
        };
        const onTime = (): void => {
          const left = (expiresAt ?? 0) - clock.now();
          if (left > 0) timer = clock.timer(Math.min(left, LONGEST_MS), onTime);
          else void expired(requested).then(decided);
        };
        enter(approvalId, decided);
        signal.addEventListener("abort", onAbort, { once: true });
        if (expiresAt !== undefined) onTime();
        void look({ id: approvalId });
      });
    },
    isWaiting: (approvalId) => waiting.has(approvalId),
    end: (approvalId, decision) => waiting.get(approvalId)?.(decision),
  };
}

function mayBeNew(id: string, change: Change): boolean {
  if (change === undefined) return true;
  return "id" in change ? change.id === id : !change.open.has(id);
}
