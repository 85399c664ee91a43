import type { UserMessage } from "../message.ts";
import type { Envelope } from "./envelope.ts";

/**
 * A message of a person waits behind a call that may wait for days: from here on it outlives the process. It is heard
 * with the `user.message` of the same `uuid`.
 */
export type MessageQueued = Envelope<
  "message.queued",
  {
    readonly message: UserMessage & { readonly uuid: string };
    readonly priority: "now" | "next" | "later";
  }
>;

/** A message that waited is never heard. */
export type MessageDropped = Envelope<
  "message.dropped",
  {
    readonly uuid: string;
    readonly why: /** Somebody took it back. */
      | "cancelled"
      /** A hook kept it from the model. */
      | "blocked"
      /** Its turn was stopped before its hooks were done. */
      | "stopped"
      /** It waits in the session that this one was copied from. */
      | "copied";
  }
>;
