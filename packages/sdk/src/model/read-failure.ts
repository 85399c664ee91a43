import { isCastellanError } from "../protocol/index.ts";

/** What is known of a failed try. */
export interface FailureFacts {
  /** One sentence or more, without the model's name. */
  readonly message: string;
  /** `http`, `network`, `stalled`, `truncated`, `context_overflow` …; `unknown` for an error that does not say. */
  readonly kind: string;
  readonly retryable: boolean;
  /** The provider's own wish. */
  readonly retryAfterMs?: number;
  /** Of the HTTP answer, or what an error event in the stream amounts to. */
  readonly status?: number;
}

const PROGRAM_ERRORS = new Set(["ReferenceError", "SyntaxError", "RangeError"]);

/**
 * Reads what a model threw, by structure: our wire's failures, errors of AI SDK providers, plain errors. What the
 * error says of itself counts. One that says nothing is retryable, unless it is an abort, a fault of a program, or a
 * `CastellanError` that tells of wrong set-up. Total: it never throws.
 */
export function readFailure(error: unknown): FailureFacts {
  const own = read(error, "failure");
  const facts = typeof own === "object" && own !== null ? own : error;
  const status = numberIn(facts, "status") ?? numberIn(facts, "statusCode");
  const retryAfterMs = numberIn(facts, "retryAfterMs");
  return {
    message: own === facts ? (textIn(facts, "message") ?? messageOf(error)) : messageOf(error),
    kind: textIn(facts, "kind") ?? (status === undefined ? "unknown" : "http"),
    retryable: flagIn(facts, "retryable") ?? flagIn(facts, "isRetryable") ?? isRetryable(error, status),
    ...(retryAfterMs === undefined || retryAfterMs < 0 ? {} : { retryAfterMs }),
    ...(status === undefined ? {} : { status }),
  };
}

/** The provider has too much to do, for this key or for all: fewer requests at once help. */
export function isThrottled(failure: FailureFacts): boolean {
  return (
    failure.status === 429 ||
    failure.status === 529 ||
    failure.kind === "rate_limit" ||
    failure.kind === "overloaded"
  );
}

function isRetryable(error: unknown, status: number | undefined): boolean {
  if (status !== undefined) return status === 408 || status === 409 || status === 429 || status >= 500;
  const code = codeOf(error);
  if (code !== undefined) return code === "model_failed";
  return textIn(error, "name") !== "AbortError" && !isProgramFault(error);
}

/** A fault of a program, not of a connection: trying again gives the same. */
export function isProgramFault(error: unknown): boolean {
  const name = textIn(error, "name") ?? "";
  // fetch reports a lost connection as a TypeError with a cause.
  return name === "TypeError" ? read(error, "cause") === undefined : PROGRAM_ERRORS.has(name);
}

function codeOf(error: unknown): string | undefined {
  try {
    return isCastellanError(error) ? error.code : undefined;
  } catch {
    return undefined;
  }
}

function messageOf(error: unknown): string {
  const own = typeof error === "string" ? error : textIn(error, "message");
  if (own === undefined || own === "") return "it threw something that is not an Error.";
  const code = read(read(error, "cause"), "code");
  return typeof code === "string" && !own.includes(code) ? `${own} (${code})` : own;
}

function textIn(error: unknown, key: string): string | undefined {
  const value = read(error, key);
  return typeof value === "string" ? value : undefined;
}

function numberIn(error: unknown, key: string): number | undefined {
  const value = read(error, key);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function flagIn(error: unknown, key: string): boolean | undefined {
  const value = read(error, key);
  return typeof value === "boolean" ? value : undefined;
}

function read(error: unknown, key: string): unknown {
  if (typeof error !== "object" || error === null) return undefined;
  try {
    return (error as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}
