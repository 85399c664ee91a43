import {
  type FailurePlace,
  ModelFailedError,
  problemIn,
  problemOf,
  statusFailure,
  streamFailure,
} from "../model/index.ts";
import { isCastellanError } from "../protocol/index.ts";
import { at } from "./usage.ts";

/** Names of the AI SDK's errors about how a model is set up or asked: another try gives the same. */
const SETUP =
  /^AI_(UnsupportedFunctionality|InvalidPrompt|InvalidArgument|NoSuchModel|LoadSetting|UnsupportedModelVersion)/;
/** About an answer that does not fit. */
const BAD_ANSWER = /^AI_(EmptyResponseBody|InvalidResponseData|JSONParse|TypeValidation|NoContentGenerated)/;
const PROGRAM = new Set(["ReferenceError", "SyntaxError", "RangeError"]);

/** What an error that `doStream` or its stream threw comes to; a fault of a program stays as it is. */
export function thrownFailure(error: unknown, place: FailurePlace, now: number, inBody: boolean): unknown {
  if (isCastellanError(error)) return error;
  const name = String(at(error, "name") ?? "");
  const message = messageOf(error);
  if (name === "AI_APICallError") return callFailure(error, place, now);
  if (name === "AI_LoadAPIKeyError") {
    return fail(place, message, { kind: "auth", retryable: false }, error);
  }
  if (SETUP.test(name)) return fail(place, message, { kind: "http", retryable: false }, error);
  // Some packages miss the end themselves.
  if (/without a finish reason/i.test(message)) return truncated(place);
  if (BAD_ANSWER.test(name)) return badAnswer(place, error);
  const cause = at(error, "cause");
  if (PROGRAM.has(name) || (name === "TypeError" && cause === undefined)) return error;
  const code = at(cause, "code") ?? at(error, "code");
  const why = typeof code === "string" && !message.includes(code) ? `${message} (${code})` : message;
  return inBody
    ? fail(
        place,
        `The answer broke off in its middle: ${why}.`,
        { kind: "truncated", retryable: true },
        error,
      )
    : fail(place, `The provider could not be reached: ${why}.`, { kind: "network", retryable: true }, error);
}

/** What the error of an `error` part comes to. */
export function partFailure(error: unknown, place: FailurePlace, now: number): unknown {
  if (error instanceof Error) return thrownFailure(error, place, now, true);
  if (typeof error === "string") return streamFailure(place, { type: "", message: error });
  const { type, message } = problemOf({ error });
  const status = at(error, "statusCode");
  return streamFailure(place, {
    type: type === "" && typeof status === "number" ? String(status) : type,
    message,
  });
}

/** Events that the provider's package does not know arrive as an error, but are none: `undefined` for those. */
export function eventFailure(error: unknown, place: FailurePlace, now: number): unknown {
  if (at(error, "name") !== "AI_TypeValidationError") return partFailure(error, place, now);
  const value = at(error, "value");
  const isError = at(value, "type") === "error" || at(value, "error") != null;
  return isError ? streamFailure(place, problemOf(value)) : undefined;
}

export function badAnswer(place: FailurePlace, cause: unknown): ModelFailedError {
  const what = `The answer holds what cannot be read: ${messageOf(cause).slice(0, 500)}`;
  return fail(place, what, { kind: "bad_body", retryable: true }, cause);
}

export function truncated(place: FailurePlace): ModelFailedError {
  const what = "The answer broke off: its stream ended without an end mark.";
  return fail(place, what, { kind: "truncated", retryable: true });
}

export function stalled(place: FailurePlace, ms: number): ModelFailedError {
  const what = `The provider stalled: nothing came for ${Math.round(ms / 1000)} seconds.`;
  return fail(place, what, { kind: "stalled", retryable: true });
}

/** The provider's package says that the answer ended in an error, and nothing more. */
export function endedInError(place: FailurePlace): ModelFailedError {
  return fail(place, "The provider ended its answer with an error.", {
    kind: "stream_error",
    retryable: true,
  });
}

function callFailure(error: unknown, place: FailurePlace, now: number): ModelFailedError {
  const status = at(error, "statusCode");
  const text = at(error, "responseBody");
  const body = typeof text === "string" && text !== "" ? text : undefined;
  if (typeof status === "number" && status >= 400) {
    const headers = lowerCase(at(error, "responseHeaders"));
    const shown = body ?? JSON.stringify({ message: messageOf(error) });
    return statusFailure(place, { status, headers }, shown, now);
  }
  if (typeof status === "number") {
    const data = at(error, "data");
    if (data === undefined && body === undefined) {
      const cause = at(error, "cause");
      const why = cause === undefined ? messageOf(error) : messageOf(cause);
      const what = `The answer broke off in its middle: ${why}.`;
      return fail(place, what, { kind: "truncated", retryable: true }, error);
    }
    const problem = data === undefined ? problemIn(body ?? "") : problemOf(data);
    return streamFailure(place, { type: problem.type, message: problem.message ?? messageOf(error) });
  }
  const retryable = at(error, "isRetryable") !== false;
  const what = `The provider could not be reached: ${messageOf(error)}`;
  return fail(place, what, { kind: "network", retryable }, error);
}

function lowerCase(headers: unknown): Readonly<Record<string, string>> {
  if (typeof headers !== "object" || headers === null) return {};
  return Object.fromEntries(
    Object.entries(headers).map(([key, value]) => [key.toLowerCase(), String(value)]),
  );
}

function fail(
  place: FailurePlace,
  message: string,
  failure: ConstructorParameters<typeof ModelFailedError>[1],
  cause?: unknown,
): ModelFailedError {
  return new ModelFailedError(message, failure, { subject: place.id, cause });
}

export function messageOf(error: unknown): string {
  const message = typeof error === "string" ? error : at(error, "message");
  return typeof message === "string" && message !== "" ? message : "it threw something that is not an Error.";
}
