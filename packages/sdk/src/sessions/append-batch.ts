import type { Clock } from "../platform/index.ts";
import type { AppendBatch, AppendResult, ErrorCode, EventStore } from "../protocol/index.ts";
import { CastellanError, errorText, isCastellanError } from "../protocol/index.ts";

/** Milliseconds before the second, third and fourth try. */
const BACKOFF_MS: readonly number[] = [20, 80, 320];

/** Codes that a further try cannot change. */
const FINAL: ReadonlySet<ErrorCode> = new Set(["session_busy", "log_corrupt", "invalid_option", "internal"]);

/**
 * Appends one batch, again under the same id while the store rejects.
 *
 * @throws `store_failed` after the last try; an error that says why at once stays what it is
 * (`session_busy`, `log_corrupt`).
 */
export async function appendBatch(
  store: EventStore,
  clock: Clock,
  batch: AppendBatch,
): Promise<AppendResult> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const [result] = await store.append([batch]);
      if (result !== undefined) return result;
      throw new CastellanError("store_failed", "The session store gave no answer for a batch.");
    } catch (error) {
      if (isCastellanError(error) && FINAL.has(error.code)) throw error;
      const delay = BACKOFF_MS[attempt];
      if (delay === undefined) throw asStoreFailed(error, batch);
      await new Promise<void>((resolve) => clock.timer(delay, resolve));
    }
  }
}

function asStoreFailed(error: unknown, { sessionId }: AppendBatch): CastellanError {
  if (isCastellanError(error, "store_failed")) return error;
  const why = errorText(error);
  return new CastellanError(
    "store_failed",
    `The events of session ${sessionId} could not be stored: ${why}`,
    {
      cause: error,
      subject: sessionId,
    },
  );
}
