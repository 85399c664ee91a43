import { isCastellanError, type WakeStore } from "../../protocol/index.ts";
import { readSession } from "../../sessions/index.ts";
import { runningLog } from "../claims.ts";
import { runOf } from "../controls/controls.ts";
import { VERSION } from "../version.ts";
import { pendingTimers } from "./pending-timers.ts";
import type { RunWakesOptions, TimedState, WakesHost } from "./wake-types.ts";

/**
 * Opens a session and lets it go on with what is due.
 *
 * Rejects with what keeps it from opening, or with what a callback of `options` throws.
 *
 * @param stop closes it.
 * @returns true where what was due is over; false where it is due still, and this is not the moment.
 */
export async function wakeSession(
  host: WakesHost,
  wakes: WakeStore,
  options: Pick<RunWakesOptions, "options" | "onSession">,
  sessionId: string,
  stop: AbortSignal,
): Promise<boolean> {
  const { store, platform } = host.shared;
  const isBusy = async (): Promise<boolean> =>
    runningLog(store, sessionId) !== undefined || (await store.isBusy?.(sessionId)) === true;
  // Whoever runs it hears its timers there.
  if (await isBusy()) return false;
  const read = await readSession(store, sessionId, { release: VERSION, sha256: platform.sha256 });
  const now = platform.clock.now();
  if (read === undefined || !hasWork(read.state, now)) {
    if (!(await isBusy())) await tidy(wakes, sessionId, read?.state, now);
    return isOver(wakes, sessionId, now);
  }
  if (await waitsForSomebody(host, read.state)) return false;
  const own = typeof options.options === "function" ? options.options(sessionId) : (options.options ?? {});
  if (own === undefined) return false;
  const query = host.query({ prompt: "", options: { ...own, resume: sessionId } });
  const end = (): void => void query.close();
  stop.addEventListener("abort", end, { once: true });
  if (stop.aborted) end();
  try {
    const refusal = await runOf(query).session.then(
      () => undefined,
      (error: unknown) => error,
    );
    // Whoever was faster runs it.
    if (stop.aborted || isCastellanError(refusal, "session_busy")) return false;
    if (refusal !== undefined) throw refusal;
    await options.onSession?.(query, sessionId);
    for await (const _ of query);
  } finally {
    stop.removeEventListener("abort", end);
    await query.close();
  }
  return isOver(wakes, sessionId, now);
}

async function isOver(wakes: WakeStore, sessionId: string, now: number): Promise<boolean> {
  return !(await wakes.list(sessionId)).some(({ at }) => at <= now);
}

/** A timer is due, or was and has yet to be heard. */
function hasWork({ timers }: TimedState, now: number): boolean {
  return [...timers.values()].some(({ at, fired }) => fired !== undefined || at <= now);
}

/** A call of it waits in the inbox, and nobody has decided about it. */
async function waitsForSomebody({ shared }: WakesHost, { approvals }: TimedState): Promise<boolean> {
  for (const { requested, resolved } of approvals.values()) {
    const decision = resolved ?? (await shared.ports.approvals?.decisionOf(requested.approvalId));
    if (decision === undefined) return true;
  }
  return false;
}

/** The store lagged behind the log when a process ended: brings what it says to what the log says. */
async function tidy(
  wakes: WakeStore,
  sessionId: string,
  state: TimedState | undefined,
  now: number,
): Promise<void> {
  const pending = new Map(state === undefined ? [] : pendingTimers(state).map(({ id, at }) => [id, at]));
  for (const wake of await wakes.list(sessionId)) {
    if (wake.kind !== "timer" || wake.at > now) continue;
    const at = pending.get(wake.id);
    if (at === undefined) await wakes.remove(wake.id);
    else await wakes.put({ ...wake, at });
  }
}
