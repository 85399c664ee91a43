import type { CancelCode } from "../protocol/index.ts";

/** What `signal.reason` of a cancelled call is. */
export interface CancelReason extends Error {
  readonly code: CancelCode;
}

const TEXTS: Readonly<Record<CancelCode, string>> = {
  interrupt: "The run was interrupted.",
  close: "The session was closed.",
  timeout: "The call took longer than it may.",
  new_message: "A new message came.",
  abort: "The run was aborted.",
};

/** A reason for `AbortController.abort`, so that tools read why in `signal.reason.code`. */
export function cancelReason(code: CancelCode): CancelReason {
  return Object.assign(new Error(TEXTS[code]), { name: "AbortError", code });
}

/** What fires where somebody does not wait for calls that a gentle stop lets finish. */
const HARDER = new WeakMap<object, AbortSignal>();

/**
 * The reason of a stop for a new message: calls whose tool says "block" run to their end.
 *
 * @param harder fires where they are to be stopped after all.
 */
export function gentleReason(harder: AbortSignal): CancelReason {
  const reason = cancelReason("new_message");
  HARDER.set(reason, harder);
  return reason;
}

/** Present where `signal` has fired with a gentle reason. */
export function harderStop({ reason }: AbortSignal): AbortSignal | undefined {
  return typeof reason === "object" && reason !== null ? HARDER.get(reason) : undefined;
}

/** The code of a signal that has fired; `abort` when whoever aborted it gave none. */
export function cancelCode(signal: AbortSignal): CancelCode {
  const code: unknown = (signal.reason as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" && Object.hasOwn(TEXTS, code) ? (code as CancelCode) : "abort";
}

/** The session ends, and may be gone on with: what is open stays open. An interrupt is a word about the calls themselves. */
export function isSessionEnd(signal: AbortSignal): boolean {
  const code = signal.aborted ? cancelCode(signal) : undefined;
  return code === "close" || code === "abort";
}
