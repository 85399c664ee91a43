import type { SessionEvent } from "../../protocol/index.ts";
import { CastellanError } from "../../protocol/index.ts";

/** @throws `internal` for an event that JSON cannot hold. */
export function encodeEvent(event: SessionEvent): string {
  try {
    return JSON.stringify(event);
  } catch (cause) {
    throw new CastellanError(
      "internal",
      `Event ${event.seq} (${event.type}) cannot be written as JSON: ${String(cause)}`,
      { cause, subject: event.type },
    );
  }
}
