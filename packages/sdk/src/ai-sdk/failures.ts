import {
  ask,
  cutOff,
  type FailurePlace,
  failed,
  isProgramFault,
  type ModelFailedError,
  problemIn,
  problemOf,
  statusFailure,
  streamFailure,
  text,
} from "../model/index.ts";
import { isCastellanError } from "../protocol/index.ts";

/** Names of the AI SDK's errors about how a model is set up or asked: another try gives the same. */
const SETUP =
  /^AI_(UnsupportedFunctionality|InvalidPrompt|InvalidArgument|NoSuchModel|LoadSetting|UnsupportedModelVersion)/;
/** About an answer that does not fit. */
const BAD_ANSWER = /^AI_(EmptyResponseBody|InvalidResponseData|JSONParse|TypeValidation|NoContentGenerated)/;

/** What an error that `doStream` or its stream threw comes to; a fault of a program stays as it is. */
export function thrownFailure(error: unknown, place: FailurePlace, now: number, inBody: boolean): unknown {
  if (isCastellanError(error)) return error;
  const name = String(ask(error, "name") ?? "");
  const message = messageOf(error);
  if (name === "AI_APICallError") return callFailure(error, place, now);
  if (name === "AI_LoadAPIKeyError") {
    return failed(place, message, { kind: "auth", retryable: false }, error);
  }
  if (SETUP.test(name)) return failed(place, message, { kind: "http", retryable: false }, error);
  // Some packages miss the end themselves.
  if (/without a finish reason/i.test(message)) return cutOff(place);
  if (BAD_ANSWER.test(name)) return badAnswer(place, error);
  if (isProgramFault(error)) return error;
  const code = ask(ask(error, "cause"), "code") ?? ask(error, "code");
  const why = typeof code === "string" && !message.includes(code) ? `${message} (${code})` : message;
  return inBody
    ? failed(
        place,
        `The answer broke off in its middle: ${why}.`,
        { kind: "truncated", retryable: true },
        error,
      )
    : failed(
        place,
        `The provider could not be reached: ${why}.`,
        { kind: "network", retryable: true },
        error,
      );
}

/** What the error of an `error` part comes to. */
export function partFailure(error: unknown, place: FailurePlace, now: number): unknown {
  if (error instanceof Error) return thrownFailure(error, place, now, true);
  if (typeof error === "string") return streamFailure(place, { type: "", message: error });
  const { type, message } = problemOf({ error });
  const status = ask(error, "statusCode");
  return streamFailure(place, {
    type: type === "" && typeof status === "number" ? String(status) : type,
    message,
  });
}

/** Events that the provider's package does not know arrive as an error, but are none: `undefined` for those. */
export function eventFailure(error: unknown, place: FailurePlace, now: number): unknown {
  if (ask(error, "name") !== "AI_TypeValidationError") return partFailure(error, place, now);
  const value = ask(error, "value");
  const isError = ask(value, "type") === "error" || ask(value, "error") != null;
  return isError ? streamFailure(place, problemOf(value)) : undefined;
}

export function badAnswer(place: FailurePlace, cause: unknown): ModelFailedError {
  const what = `The answer holds what cannot be read: ${messageOf(cause).slice(0, 500)}`;
  return failed(place, what, { kind: "bad_body", retryable: true }, cause);
}

export function stalled(place: FailurePlace, ms: number): ModelFailedError {
  const what = `The provider stalled: nothing came for ${Math.round(ms / 1000)} seconds.`;
  return failed(place, what, { kind: "stalled", retryable: true });
}

/** The provider's package says that the answer ended in an error, and nothing more. */
export function endedInError(place: FailurePlace): ModelFailedError {
  return failed(place, "The provider ended its answer with an error.", {
    kind: "stream_error",
    retryable: true,
  });
}

function callFailure(error: unknown, place: FailurePlace, now: number): ModelFailedError {
  const status = ask(error, "statusCode");
  const body = text(ask(error, "responseBody"));
  if (typeof status === "number" && status >= 400) {
    const headers = lowerCase(ask(error, "responseHeaders"));
    const shown = body ?? JSON.stringify({ message: messageOf(error) });
    return statusFailure(place, { status, headers }, shown, now);
  }
  if (typeof status === "number") {
    const data = ask(error, "data");
    if (data === undefined && body === undefined) {
      const cause = ask(error, "cause");
      const why = cause === undefined ? messageOf(error) : messageOf(cause);
      const what = `The answer broke off in its middle: ${why}.`;
      return failed(place, what, { kind: "truncated", retryable: true }, error);
    }
    const problem = data === undefined ? problemIn(body ?? "") : problemOf(data);
    return streamFailure(place, { type: problem.type, message: problem.message ?? messageOf(error) });
  }
  const retryable = ask(error, "isRetryable") !== false;
  const what = `The provider could not be reached: ${messageOf(error)}`;
  return failed(place, what, { kind: "network", retryable }, error);
}

function lowerCase(headers: unknown): Readonly<Record<string, string>> {
  if (typeof headers !== "object" || headers === null) return {};
  return Object.fromEntries(
    Object.entries(headers).map(([key, value]) => [key.toLowerCase(), String(value)]),
  );
}

export function messageOf(error: unknown): string {
  return (
    text(typeof error === "string" ? error : ask(error, "message")) ??
    "it threw something that is not an Error."
  );
}
