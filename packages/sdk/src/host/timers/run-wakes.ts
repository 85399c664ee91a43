import { CastellanError, type WakeStore } from "../../protocol/index.ts";
import { flag, func, methods, shape, text, wholeNumber } from "../options/checks.ts";
import { type Check, fault } from "../options/fault.ts";
import { checkArgument } from "../sessions/check-argument.ts";
import { wakeSession } from "./wake-session.ts";
import type { PendingWake, RunWakesOptions, WakesHost } from "./wake-types.ts";

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
  // Its code may have come in when the host was closed.
  host.mustBeOpen();
  checkArgument("wakes.run", "options", options, RUN);
  const wakes = wakesIn(host);
  const { clock } = host.shared.platform;
  const { signal, once = false, pollMs = POLL_MS, concurrency = CONCURRENCY } = options;
  const running = new Map<string, Promise<void>>();
  /** Sessions that are due and could not be woken: when they are looked at again, on the clock that never jumps. */
  const pauses = new Map<string, { readonly until: number; readonly ms: number }>();
  /** What `once` has opened. */
  const tried = new Set<string>();
  /** Fires when nothing more is to be opened. */
  const stop = new AbortController();
  const end = (): void => stop.abort();

  async function wake(sessionId: string): Promise<void> {
    const isOver = await wakeSession(host, wakes, options, sessionId, stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) tell(options, error, sessionId);
      return false;
    });
    const before = pauses.get(sessionId)?.ms ?? pollMs;
    const ms = Math.min(before * 2, LONGEST_PAUSE_MS);
    if (isOver) pauses.delete(sessionId);
    else pauses.set(sessionId, { until: clock.monotonic() + ms, ms });
  }

  function start(sessionId: string): void {
    if (once) tried.add(sessionId);
    const job = wake(sessionId).finally(() => running.delete(sessionId));
    running.set(sessionId, job);
  }

  const mayStart = (sessionId: string): boolean =>
    !running.has(sessionId) &&
    !tried.has(sessionId) &&
    (pauses.get(sessionId)?.until ?? 0) <= clock.monotonic();

  async function due(): Promise<readonly string[]> {
    try {
      const found = await wakes.due(clock.now(), MOST_LISTED);
      const ids = new Set(found.map(({ sessionId }) => sessionId));
      // What is due no more was heard elsewhere: the next time has nothing to do with this one.
      for (const sessionId of pauses.keys()) if (!ids.has(sessionId)) pauses.delete(sessionId);
      return [...ids];
    } catch (error) {
      // A store that cannot be read now is looked at again.
      if (once) throw error;
      if (!stop.signal.aborted) tell(options, error, "");
      return [];
    }
  }

  const unlisten = host.onClose(end);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted === true) end();
  try {
    while (!stop.signal.aborted) {
      for (const sessionId of await due()) {
        if (running.size >= concurrency) break;
        if (!stop.signal.aborted && mayStart(sessionId)) start(sessionId);
      }
      if (running.size === 0 && once) break;
      if (once || running.size >= concurrency) await Promise.race(running.values());
      else await pause(host, pollMs, stop.signal);
    }
  } finally {
    unlisten();
    signal?.removeEventListener("abort", end);
    await Promise.all(running.values());
  }
  if (stop.signal.aborted && signal?.aborted !== true) host.mustBeOpen();
}

function tell({ onError }: RunWakesOptions, error: unknown, sessionId: string): void {
  try {
    onError?.(error, sessionId);
  } catch {
    // What a program does with an error is its own affair.
  }
}

function pause({ shared }: WakesHost, ms: number, stop: AbortSignal): Promise<void> {
  if (stop.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      timer.cancel();
      stop.removeEventListener("abort", end);
      resolve();
    };
    const timer = shared.platform.clock.timer(ms, end);
    stop.addEventListener("abort", end, { once: true });
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
