import { CastellanError } from "../protocol/index.ts";

/**
 * What went wrong with a model request.
 *
 * - `http`: a status that is no success. `auth`: 401 or 403. `context_overflow`: the request is too long.
 * - `network`: no connection, or one that broke before the answer began. `stalled`: silence for too long.
 * - `truncated`: the answer ended in its middle. `stream_error`: the provider sent an error inside the answer.
 * - `bad_body`: the answer is none that the wire format knows.
 */
export type ModelFailureKind =
  | "http"
  | "network"
  | "stalled"
  | "truncated"
  | "stream_error"
  | "bad_body"
  | "context_overflow"
  | "auth";

/** What is known of one failed try. */
export interface ModelFailure {
  readonly kind: ModelFailureKind;
  /** Another try may succeed. */
  readonly retryable: boolean;
  /** HTTP status; for an error inside the answer the status that it amounts to, where it has one. */
  readonly status?: number;
  /** Milliseconds that the provider asks to wait. */
  readonly retryAfterMs?: number;
}

/**
 * What our wire throws for a failed request: `model_failed`, with the failure's fields as its own. Its message tells
 * cause and fix; it names no model, because who asked knows it, and holds no key. An abort is an AbortError instead.
 */
export class ModelFailedError extends CastellanError implements ModelFailure {
  readonly kind: ModelFailureKind;
  readonly retryable: boolean;
  declare readonly status?: number;
  declare readonly retryAfterMs?: number;

  constructor(
    message: string,
    failure: ModelFailure,
    details: { readonly cause?: unknown; readonly subject?: string } = {},
  ) {
    super("model_failed", message, details);
    this.kind = failure.kind;
    this.retryable = failure.retryable;
    if (failure.status !== undefined) this.status = failure.status;
    if (failure.retryAfterMs !== undefined) this.retryAfterMs = failure.retryAfterMs;
  }
}
