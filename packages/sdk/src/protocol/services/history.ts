import type { Message } from "../message.ts";

/** What a session has summed up, for looking back. */
export interface PastHistory {
  /** How many messages of the session the model no longer gets. */
  total(): number;
  /** Some of them, in order; fewer where there are not so many. Rejects as the store does. */
  read(offset: number, limit: number): Promise<readonly Message[]>;
}
