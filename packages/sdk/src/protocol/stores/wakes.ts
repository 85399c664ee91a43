import type { JsonValue } from "../json.ts";

/** A session that is to go on at some time. */
export interface Wake {
  /** Letters, digits, `-` and `_`, at most 128. */
  readonly id: string;
  readonly sessionId: string;
  /** Epoch milliseconds, a whole number, 0 or more. */
  readonly at: number;
  /** What wakes it: a timer, a mailbox, a decided approval. */
  readonly kind: string;
  readonly data: JsonValue;
}

/** The port of durable timers. A wake stays until it is removed: who died while handling it finds it again. */
export interface WakeStore {
  /** Keeps a wake, in place of the one with its id. */
  put(wake: Wake): Promise<void>;
  /** Wakes with `at` at or before `now`, the earliest first, `limit` at most. */
  due(now: number, limit: number): Promise<readonly Wake[]>;
  /** True when there was one. */
  remove(id: string): Promise<boolean>;
  /** All of one session, the earliest first. */
  list(sessionId: string): Promise<readonly Wake[]>;
}
