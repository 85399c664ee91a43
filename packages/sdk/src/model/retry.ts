import type { FailureFacts } from "./read-failure.ts";

/** Tries behind the first one. */
export const MAX_RETRIES = 10;
/** A provider that asks for more patience than this, in milliseconds, counts as gone. */
export const LONGEST_RETRY_AFTER = 600_000;

const FIRST_DELAY = 500;
const LONGEST_DELAY = 32_000;

/** What to do about a failed try. */
export type RetryPlan =
  | { readonly again: true; readonly delayMs: number }
  /** `spent`: it could be tried again, but was often enough; another model may help. */
  | { readonly again: false; readonly spent: boolean; readonly why: string | undefined };

/**
 * Decides whether a request is sent again and when. The wait doubles from half a second to 32 seconds, its second half
 * at random, so that many sessions do not come back together. `retryAfterMs` of the provider is the least wait.
 *
 * @param retries how many there were of this request with this model.
 * @param random at least 0, less than 1.
 */
export function planRetry(failure: FailureFacts, retries: number, random: number): RetryPlan {
  if (!failure.retryable) return { again: false, spent: false, why: undefined };
  if (retries >= MAX_RETRIES) {
    return { again: false, spent: true, why: `It was tried ${retries + 1} times.` };
  }
  const asked = failure.retryAfterMs ?? 0;
  if (asked > LONGEST_RETRY_AFTER) {
    return {
      again: false,
      spent: true,
      why: `It asks to be left alone for ${Math.round(asked / 1000)} seconds, which is longer than is waited for.`,
    };
  }
  const full = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** retries);
  const own = full / 2 + (full / 2) * random;
  // Behind the wish of a provider a tenth is spread, at most a second.
  const wish = asked + Math.min(asked / 10, 1000) * random;
  return { again: true, delayMs: Math.round(asked > 0 ? wish : own) };
}
