import type { UserMessage } from "../protocol/index.ts";

/** Messages of people on their way into a session, as its turns take them. */
export interface Steering {
  /** What an earlier run left waiting: heard before anything else. It stays here until it is recorded. */
  left(): readonly UserMessage[];
  /** Takes out what wants in before the next request, in order. */
  steer(): readonly UserMessage[];
  /** What `steer()` gave was not heard after all: it waits again, in front. */
  giveBack(messages: readonly UserMessage[]): void;
}
