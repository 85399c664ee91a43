import { CastellanError, isCastellanError, type Wake, type WakeStore } from "../../protocol/index.ts";
import { readSession } from "../../sessions/index.ts";
import { runningLog } from "../claims.ts";
import { flag, func, methods, shape, text, wholeNumber } from "../options/checks.ts";
import { type Check, fault } from "../options/fault.ts";
import { checkArgument } from "../sessions/check-argument.ts";
import { VERSION } from "../version.ts";
import { pendingTimers } from "./pending-timers.ts";
import type { PendingWake, RunWakesOptions, TimedState, WakesHost } from "./wake-types.ts";

const MOST_LISTED = 10_000;
const POLL_MS = 1_000;
const CONCURRENCY = 8;
/** A session that is due and cannot be woken is looked at again after this long at most. */
const LONGEST_PAUSE_MS = 300_000;

const ownOptions: Check = (value) =>
  (typeof value === "object" && value !== null) || typeof value === "function"
    ? undefined
    : fault("the options of a session, or a function that gives them", value);

const LIST = shape({ sessionId: text }, "an object");
const RUN = shape(
  {
    ...{ options: ownOptions, onSession: func, onError: func },
    signal: methods(["addEventListener", "removeEventListener"], "an AbortSignal"),
    ...{ once: flag, pollMs: wholeNumber(10), concurrency: wholeNumber(1) },
  },
  "an object",
);

/** See `Wakes.list`. */
export async function listWakes(
  host: WakesHost,
  options: { readonly sessionId?: string } = {},
): Promise<readonly PendingWake[]> {
  checkArgument("wakes.list", "options", options, LIST);
  const wakes = wakesIn(host);
  const { sessionId } = options;
  const found =
    sessionId === undefined
      ? await wakes.due(Number.MAX_SAFE_INTEGER, MOST_LISTED)
      : await wakes.list(sessionId);
  return found.map(({ id, sessionId, at }) => ({ id, sessionId, at }));
}

/** See `Wakes.run`. */
export async function runWakes(host: WakesHost, options: RunWakesOptions = {}): Promise<void> {
  checkArgument("wakes.run", "options", options, RUN);
  const wakes = wakesIn(host);
  const { clock } = host.shared.platform;
  const { signal, once = false, pollMs = POLL_MS, concurrency = CONCURRENCY } = options;
  const running = new Map<string, Promise<void>>();
  /** Sessions that are due and could not be woken: when they are looked at again, on the clock that never jumps. */
  const pauses = new Map<string, { readonly until: number; readonly ms: number }>();
  const tried = new Set<string>();
  let failure: unknown;

  async function wake(sessionId: string): Promise<void> {
    const isGone = await goOn(host, options, sessionId).catch((error: unknown) => {
      if (isCastellanError(error, "query_closed")) failure ??= error;
      else tell(options, error, sessionId);
      return false;
    });
    const before = pauses.get(sessionId)?.ms ?? pollMs;
    const ms = Math.min(before * 2, LONGEST_PAUSE_MS);
    if (isGone) pauses.delete(sessionId);
    else pauses.set(sessionId, { until: clock.monotonic() + ms, ms });
  }

  function start(sessionId: string): void {
    tried.add(sessionId);
    const job = wake(sessionId).finally(() => running.delete(sessionId));
    running.set(sessionId, job);
  }

  const isStopped = (): boolean => signal?.aborted === true;
  const mayStart = (sessionId: string): boolean =>
    !running.has(sessionId) &&
    !(once && tried.has(sessionId)) &&
    (pauses.get(sessionId)?.until ?? 0) <= clock.monotonic();

  while (!isStopped() && failure === undefined) {
    let due: readonly Wake[] = [];
    try {
      due = await wakes.due(clock.now(), MOST_LISTED);
    } catch (error) {
      // A store that cannot be read now is looked at again.
      if (once) throw error;
      tell(options, error, "");
    }
    for (const { sessionId } of due) {
      if (running.size >= concurrency) break;
      if (!isStopped() && mayStart(sessionId)) start(sessionId);
    }
    if (running.size === 0 && once) break;
    if (once || running.size >= concurrency) await Promise.race(running.values());
    else await pause(host, pollMs, signal);
  }
  await Promise.all(running.values());
  if (failure !== undefined && !isStopped()) throw failure;
}

/** True: what was due is over. False: it is due still, and this is not the moment. */
async function goOn(host: WakesHost, options: RunWakesOptions, sessionId: string): Promise<boolean> {
  const { store, platform } = host.shared;
  const wakes = wakesIn(host);
  const isBusy = async (): Promise<boolean> =>
    runningLog(store, sessionId) !== undefined || (await store.isBusy?.(sessionId)) === true;
  // Whoever runs it hears its timers there.
  if (await isBusy()) return false;
  const read = await readSession(store, sessionId, { release: VERSION, sha256: platform.sha256 });
  const now = platform.clock.now();
  if (read === undefined || !hasWork(read.state, now)) {
    if (!(await isBusy())) await tidy(wakes, sessionId, read?.state, now);
    return true;
  }
  if (await waitsForSomebody(host, read.state)) return false;
  const own = typeof options.options === "function" ? options.options(sessionId) : (options.options ?? {});
  if (own === undefined) return false;
  const query = host.query({ prompt: "", options: { ...own, resume: sessionId } });
  const stop = (): void => void query.close();
  options.signal?.addEventListener("abort", stop, { once: true });
  if (options.signal?.aborted === true) stop();
  try {
    await options.onSession?.(query, sessionId);
    for await (const _ of query);
  } finally {
    options.signal?.removeEventListener("abort", stop);
    await query.close();
  }
  const left = await wakes.list(sessionId);
  return !left.some(({ at }) => at <= now);
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

function tell({ onError }: RunWakesOptions, error: unknown, sessionId: string): void {
  try {
    onError?.(error, sessionId);
  } catch {
    // What a program does with an error is its own affair.
  }
}

function pause({ shared }: WakesHost, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      timer.cancel();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = shared.platform.clock.timer(ms, end);
    signal?.addEventListener("abort", end, { once: true });
  });
}

function wakesIn({ shared }: WakesHost): WakeStore {
  const { wakes } = shared.ports;
  if (wakes !== undefined) return wakes;
  throw new CastellanError("invalid_option", "The store of this host keeps no timers.", {
    subject: "store",
    fix: "Give a store with wakes, such as jsonlStore(), or none.",
  });
}
