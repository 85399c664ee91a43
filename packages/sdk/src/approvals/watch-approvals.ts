import type { Clock, Timer } from "../platform/index.ts";
import type { ApprovalRecord, ApprovalStore } from "../protocol/index.ts";
import { watchStore } from "./store-watch.ts";
import type { ApprovalChange, WatchApprovalsOptions } from "./types.ts";
import { LONGEST_MS } from "./waits.ts";

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
  /** Those that are over, or that the watch is not about. */
  const others = new Set<string>();
  let hasBegun = false;
  const isOpen = ({ status, expiresAt = Infinity }: ApprovalRecord, now: number): boolean =>
    status === "pending" && expiresAt > now;
  const isFresh = (id: string): boolean => !pending.has(id) && !others.has(id);

  async function close(record: ApprovalRecord): Promise<ApprovalChange> {
    pending.delete(record.id);
    others.add(record.id);
    const decision = await store.decisionOf(record.id);
    const isWord = decision !== undefined && decision.ended === undefined;
    const status = !isWord ? "expired" : decision.behavior === "approve" ? "approved" : "rejected";
    return {
      type: isWord ? "decided" : "expired",
      record: { ...record, status },
      ...(decision === undefined ? {} : { decision }),
    };
  }

  /** One that was not known: it is told as a question first, also where it is over already. */
  async function take(record: ApprovalRecord, now: number): Promise<ApprovalChange[]> {
    if (sessionId !== undefined && record.sessionId !== sessionId) {
      others.add(record.id);
      return [];
    }
    const asked = { ...record, status: "pending" } as const;
    pending.set(record.id, asked);
    const told: ApprovalChange[] = [{ type: "requested", record: asked }];
    return isOpen(record, now) ? told : [...told, await close(asked)];
  }

  /** What stood there when the watch began: of what was over then nothing is told. */
  async function begin(now: number): Promise<ApprovalChange[]> {
    hasBegun = true;
    const before = await store.ids?.();
    const listed = await store.list({
      ...(before === undefined ? {} : { status: "pending" as const }),
      skipped: () => {},
    });
    const open = listed.filter((record) => isOpen(record, now));
    const ids = new Set(open.map(({ id }) => id));
    for (const id of before ?? listed.map((record) => record.id)) if (!ids.has(id)) others.add(id);
    return (await Promise.all(open.map((record) => take(record, now)))).flat();
  }

  /** The ids of all, those without a decision where the store tells, and the records that were read on the way. */
  async function look(): Promise<{
    readonly ids: ReadonlySet<string>;
    readonly open: ReadonlySet<string>;
    readonly records: readonly ApprovalRecord[] | undefined;
  }> {
    const open = await store.openIds?.();
    const ids = open === undefined ? undefined : await store.ids?.();
    if (open !== undefined && ids !== undefined) return { ids, open, records: undefined };
    const records = await store.list({ skipped: () => {} });
    const isPending = ({ status }: ApprovalRecord): boolean => status === "pending";
    const idsOf = (some: readonly ApprovalRecord[]): ReadonlySet<string> => new Set(some.map(({ id }) => id));
    return { ids: idsOf(records), open: idsOf(records.filter(isPending)), records };
  }

  async function all(now: number): Promise<ApprovalChange[]> {
    const { ids, open, records } = await look();
    const found: ApprovalChange[] = [];
    for (const [id, record] of [...pending]) {
      if (!open.has(id) || !isOpen(record, now)) found.push(await close(record));
    }
    const fresh =
      records?.filter(({ id }) => isFresh(id)) ??
      (await Promise.all([...ids].filter(isFresh).map((id) => store.get(id).catch(() => undefined))));
    const read = fresh.filter((record) => record !== undefined).sort((a, b) => a.requestedAt - b.requestedAt);
    for (const record of read) found.push(...(await take(record, now)));
    return found;
  }

  async function some(ids: ReadonlySet<string>, now: number): Promise<ApprovalChange[]> {
    const found: ApprovalChange[] = [];
    for (const id of ids) {
      if (others.has(id)) continue;
      const record = await store.get(id);
      const known = pending.get(id);
      if (known === undefined) found.push(...(record === undefined ? [] : await take(record, now)));
      else if (record === undefined || !isOpen(record, now)) found.push(await close(known));
    }
    return found;
  }

  return {
    pending,
    changes(ids, now) {
      if (!hasBegun) return begin(now);
      return ids === undefined ? all(now) : some(ids, now);
    },
  };
}
