import type { Clock, Timer } from "../platform/index.ts";
import { AbortError } from "../protocol/index.ts";
import { LONGEST_RETRY_AFTER } from "./retry.ts";

/** The right to one request; it is given back with `leave()`. */
export interface Ticket {
  /** How often the limit had been cut when the request began. */
  readonly cuts: number;
}

/** How a request went, as far as it matters to the others. */
export type Passage = "done" | "throttled" | "failed";

/** Lets the requests of many sessions to one provider through. */
export interface Limiter {
  /**
   * A ticket at once where nothing is in the way, else a promise of one. Waiting ends with AbortError in the very
   * moment in which the signal fires.
   */
  enter(signal: AbortSignal): Ticket | Promise<Ticket>;
  /** Gives a ticket back; once for each. `retryAfterMs` holds everybody back. */
  leave(ticket: Ticket, how: Passage, retryAfterMs?: number): void;
  /** Milliseconds for which nobody is let in, whatever runs; 0 where that is not so. */
  closedFor(): number;
  /** For tests and reports. */
  readonly now: { readonly active: number; readonly waiting: number; readonly limit: number };
}

/** Without a refusal for this long the limit is forgotten. */
const FORGET_AFTER = 600_000;

/**
 * A limiter that does nothing until the provider refuses. A refusal halves what may run at once; refusals of
 * requests that began before the last cut tell nothing new and cut nothing. As many good answers as may run at once
 * raise the limit by one. Who waits is let in in order of arrival.
 */
export function createLimiter(clock: Clock): Limiter {
  /** Each lets the one that waits in. */
  const queue = new Set<() => void>();
  let active = 0;
  let limit = Number.POSITIVE_INFINITY;
  let good = 0;
  let cuts = 0;
  let cutAt = 0;
  let closedUntil = 0;
  let timer: Timer | undefined;

  const ticket = (): Ticket => {
    active += 1;
    return { cuts };
  };

  function closedFor(): number {
    return closedUntil === 0 ? 0 : Math.max(0, closedUntil - clock.monotonic());
  }

  function admit(): void {
    if (queue.size === 0) return;
    const wait = closedFor();
    if (wait > 0) {
      timer ??= clock.timer(wait, () => {
        timer = undefined;
        admit();
      });
      return;
    }
    closedUntil = 0;
    for (const letIn of queue) {
      if (active >= limit) return;
      queue.delete(letIn);
      letIn();
    }
  }

  function wait(signal: AbortSignal): Promise<Ticket> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        queue.delete(letIn);
        if (queue.size === 0) {
          timer?.cancel();
          timer = undefined;
        }
        reject(new AbortError("The model request was aborted."));
      };
      const letIn = (): void => {
        signal.removeEventListener("abort", onAbort);
        resolve(ticket());
      };
      signal.addEventListener("abort", onAbort, { once: true });
      queue.add(letIn);
      admit();
    });
  }

  function throttled(own: Ticket, retryAfterMs: number): void {
    const until = clock.monotonic() + retryAfterMs;
    // Nobody waits so long: each is told at once, and may have a fallback with the same key.
    const isGone = retryAfterMs > LONGEST_RETRY_AFTER;
    if (retryAfterMs > 0 && !isGone && until > closedUntil) {
      closedUntil = until;
      timer?.cancel();
      timer = undefined;
    }
    if (own.cuts !== cuts) return;
    limit = Math.max(1, Math.floor(Math.min(limit, active) / 2));
    cuts += 1;
    good = 0;
    cutAt = clock.monotonic();
  }

  function succeeded(): void {
    if (limit === Number.POSITIVE_INFINITY) return;
    good += 1;
    if (good < limit) return;
    good = 0;
    limit = clock.monotonic() - cutAt > FORGET_AFTER ? Number.POSITIVE_INFINITY : limit + 1;
  }

  return {
    enter(signal) {
      if (signal.aborted) return Promise.reject(new AbortError("The model request was aborted."));
      return queue.size === 0 && active < limit && closedFor() === 0 ? ticket() : wait(signal);
    },
    leave(own, how, retryAfterMs = 0) {
      if (how === "throttled") throttled(own, retryAfterMs);
      else if (how === "done") succeeded();
      active -= 1;
      admit();
    },
    closedFor,
    get now() {
      return { active, waiting: queue.size, limit };
    },
  };
}

/** The limiters of a host, one for each `limitKey`. */
export interface Limiters {
  /** Undefined for models that are not limited together. */
  of(key: string | undefined): Limiter | undefined;
}

/** Limiters by key. As many are kept as there are keys in use; a host meets few. */
export function createLimiters(clock: Clock): Limiters {
  const byKey = new Map<string, Limiter>();
  return {
    of(key) {
      if (key === undefined) return undefined;
      let limiter = byKey.get(key);
      if (limiter === undefined) {
        limiter = createLimiter(clock);
        byKey.set(key, limiter);
      }
      return limiter;
    },
  };
}
