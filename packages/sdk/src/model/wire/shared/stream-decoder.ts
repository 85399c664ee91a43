import type { ModelFailedError } from "../../failure.ts";
import type { ModelPart } from "../../port.ts";
import type { Endpoint } from "./endpoint.ts";
import { type FailurePlace, failed, problemOf, shown, streamFailure } from "./failures.ts";

/** Turns the events of one answer into parts. */
export interface StreamDecoder {
  /**
   * Reads the data of one event. True: the answer is complete, and what follows is of no interest.
   * @throws ModelFailedError for an error of the provider, and for what is no event.
   */
  event(data: string, out: ModelPart[]): boolean;
  /**
   * The body has ended without a last event.
   * @throws ModelFailedError `truncated`, unless the answer was complete in all but its last mark.
   */
  end(out: ModelPart[]): void;
}

/** @throws ModelFailedError `bad_body` when the data is no JSON object. */
export function parseEvent(data: string, endpoint: Endpoint): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(data);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Named below.
  }
  const what = `The answer has an event that is no JSON object: ${shown(data) ?? "(nothing)"}`;
  throw failed(endpoint, what, { kind: "bad_body", retryable: true });
}

/**
 * Of formats whose events bear a type. An error has the type `error`; gateways tell their own without one.
 *
 * @throws ModelFailedError for an error, and `bad_body` as `parseEvent` does.
 */
export function parseTypedEvent(data: string, endpoint: Endpoint): Readonly<Record<string, unknown>> {
  const event = parseEvent(data, endpoint);
  if (event.type === "error" || (event.type === undefined && event.error != null)) {
    throw streamFailure(endpoint, problemOf(event));
  }
  return event;
}

/** The stream ended before the answer did. */
export function cutOff(place: FailurePlace): ModelFailedError {
  const what = "The answer broke off: its stream ended without an end mark.";
  return failed(place, what, { kind: "truncated", retryable: true });
}
