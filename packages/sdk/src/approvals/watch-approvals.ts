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
  const pending = new Map<string, ApprovalRecord>();
  let isStirred = true;
  let wake: (() => void) | undefined;
  const stir = (): void => {
    isStirred = true;
    wake?.();
  };
  const isOver = (): boolean => signal?.aborted === true;
  const unwatch = watchStore(store, clock, stir);
  signal?.addEventListener("abort", stir, { once: true });
  let timer: Timer | undefined;
  try {
    while (!isOver()) {
      if (!isStirred) {
        timer = expiryTimer(pending, clock, stir);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        timer?.cancel();
        continue;
      }
      isStirred = false;
      for (const change of await changes(store, clock.now(), sessionId, pending)) {
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

/** What is another way than `pending` knows it, which learns of it. */
async function changes(
  store: ApprovalStore,
  now: number,
  sessionId: string | undefined,
  pending: Map<string, ApprovalRecord>,
): Promise<readonly ApprovalChange[]> {
  const found: ApprovalChange[] = [];
  const listed = await store.list({
    status: "pending",
    ...(sessionId === undefined ? {} : { sessionId }),
    skipped: () => {},
  });
  const open = new Map(
    listed
      .filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now)
      .map((each) => [each.id, each]),
  );
  for (const [id, record] of pending) {
    if (open.has(id)) continue;
    pending.delete(id);
    const decision = await store.decisionOf(id);
    const isWord = decision !== undefined && decision.ended === undefined;
    const status = !isWord ? "expired" : decision.behavior === "approve" ? "approved" : "rejected";
    found.push({
      type: isWord ? "decided" : "expired",
      record: { ...record, status },
      ...(decision === undefined ? {} : { decision }),
    });
  }
  for (const [id, record] of open) {
    if (pending.has(id)) continue;
    pending.set(id, record);
    found.push({ type: "requested", record });
  }
  return found;
}
