import type { Clock, Timer } from "../platform/index.ts";
import type { ApprovalRecord, ApprovalStore } from "../protocol/index.ts";
import { watchStore } from "./store-watch.ts";
import type { ApprovalChange, WatchApprovalsOptions } from "./types.ts";

/** setTimeout cannot wait longer than this many milliseconds. */
const LONGEST_MS = 2_147_483_647;

/** See `Approvals.watch`. */
export async function* watchApprovals(
  { store, clock }: { readonly store: ApprovalStore; readonly clock: Clock },
  { sessionId, signal }: WatchApprovalsOptions,
): AsyncGenerator<ApprovalChange, void, undefined> {
  const seen = createSeen(store, sessionId);
  /** Ids of which something is new; undefined: all are to be looked at. */
  let touched: Set<string> | undefined;
  let wake: (() => void) | undefined;
  const stir = (): void => {
    wake?.();
  };
  const all = (): void => {
    touched = undefined;
    stir();
  };
  const unwatch = watchStore(store, clock, (change) => {
    if (change === undefined || "open" in change) touched = undefined;
    else touched?.add(change.id);
    stir();
  });
  signal?.addEventListener("abort", stir, { once: true });
  let timer: Timer | undefined;
  const isOver = (): boolean => signal?.aborted === true;
  try {
    while (!isOver()) {
      const due = touched;
      if (due?.size === 0) {
        timer = expiryTimer(seen.pending, clock, all);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        timer?.cancel();
        continue;
      }
      touched = new Set();
      for (const change of await seen.changes(due, clock.now())) {
        if (isOver()) return;
        yield change;
      }
    }
  } finally {
    timer?.cancel();
    unwatch();
    signal?.removeEventListener("abort", stir);
  }
}

function expiryTimer(
  pending: ReadonlyMap<string, ApprovalRecord>,
  clock: Clock,
  fire: () => void,
): Timer | undefined {
  const first = Math.min(...Array.from(pending.values(), ({ expiresAt = Infinity }) => expiresAt));
  if (first === Infinity) return undefined;
  return clock.timer(Math.min(LONGEST_MS, Math.max(1, first - clock.now())), fire);
}

interface Seen {
  readonly pending: ReadonlyMap<string, ApprovalRecord>;
  /** @param ids those of which something is new. Default: all. */
  changes(ids: ReadonlySet<string> | undefined, now: number): Promise<readonly ApprovalChange[]>;
}

/** What a watch has told of, and what is another way by now. */
function createSeen(store: ApprovalStore, sessionId: string | undefined): Seen {
  const pending = new Map<string, ApprovalRecord>();
  /** Open ones that the watch is not about. */
  const others = new Set<string>();
  const isOpen = ({ status, expiresAt = Infinity }: ApprovalRecord, now: number): boolean =>
    status === "pending" && expiresAt > now;

  async function closed(record: ApprovalRecord): Promise<ApprovalChange> {
    const decision = await store.decisionOf(record.id);
    const isWord = decision !== undefined && decision.ended === undefined;
    const status = !isWord ? "expired" : decision.behavior === "approve" ? "approved" : "rejected";
    return {
      type: isWord ? "decided" : "expired",
      record: { ...record, status },
      ...(decision === undefined ? {} : { decision }),
    };
  }

  function take(record: ApprovalRecord, now: number): ApprovalChange[] {
    if (!isOpen(record, now) || (sessionId !== undefined && record.sessionId !== sessionId)) {
      others.add(record.id);
      return [];
    }
    pending.set(record.id, record);
    return [{ type: "requested", record }];
  }

  /** What stands open in the store now: its ids, and the records that were read on the way. */
  async function openNow(): Promise<{ ids: ReadonlySet<string>; records: readonly ApprovalRecord[] }> {
    const known = pending.size + others.size > 0;
    const ids = known ? await store.openIds?.() : undefined;
    if (ids !== undefined) {
      const fresh = [...ids].filter((id) => !pending.has(id) && !others.has(id));
      const records = await Promise.all(fresh.map((id) => store.get(id).catch(() => undefined)));
      return { ids, records: records.filter((record) => record !== undefined) };
    }
    const records = await store.list({ status: "pending", skipped: () => {} });
    return { ids: new Set(records.map(({ id }) => id)), records };
  }

  return {
    pending,
    async changes(ids, now) {
      const found: ApprovalChange[] = [];
      if (ids === undefined) {
        const open = await openNow();
        for (const [id, record] of [...pending]) {
          if (open.ids.has(id) && isOpen(record, now)) continue;
          pending.delete(id);
          if (open.ids.has(id)) others.add(id);
          found.push(await closed(record));
        }
        const fresh = open.records.filter(({ id }) => !pending.has(id) && !others.has(id));
        fresh.sort((a, b) => a.requestedAt - b.requestedAt);
        return found.concat(fresh.flatMap((record) => take(record, now)));
      }
      for (const id of ids) {
        const record = await store.get(id);
        const known = pending.get(id);
        if (known === undefined) {
          if (record !== undefined && !others.has(id)) found.push(...take(record, now));
        } else if (record === undefined || !isOpen(record, now)) {
          pending.delete(id);
          found.push(await closed(known));
        }
      }
      return found;
    },
  };
}
