import type { SessionState } from "../../sessions/index.ts";
import type { Options } from "../options/types.ts";
import type { Query } from "../query.ts";
import type { QueryParams } from "../query-params.ts";
import type { Shared } from "../shared.ts";

/** Something that wakes a session at some time. */
export interface PendingWake {
  /** That of its timer. */
  readonly id: string;
  readonly sessionId: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** How sessions are woken. */
export interface RunWakesOptions {
  /**
   * What each session is opened with, beside `resume`: tools, permissions and a model of the program's own are in no
   * log. A function is asked for each session; `undefined` leaves that one alone. Default: what the log holds.
   */
  readonly options?: Options | ((sessionId: string) => Options | undefined);
  /** Gets each session as it goes on. What it has not read when it returns, or resolves, is read for it. */
  readonly onSession?: (query: Query, sessionId: string) => void | Promise<void>;
  /** Told of a session that could not be looked at or opened, and of what `onSession` or `options` threw. Default: nobody is. */
  readonly onError?: (error: unknown, sessionId: string) => void;
  /** Ends it: nothing new is opened, what runs is closed. */
  readonly signal?: AbortSignal;
  /** Opens what is due at this moment, and resolves when all of that has ended. Default false: goes on until `signal`. */
  readonly once?: boolean;
  /** Milliseconds between two looks into the store; 10 or more, default 1,000. */
  readonly pollMs?: number;
  /** Sessions at once; 1 or more, default 8. */
  readonly concurrency?: number;
}

/** What wakes the sessions of a store, whether they are open or not. */
export interface Wakes {
  /** What is set, the earliest first; of one session where that is named. Rejects with `store_failed`. */
  list(options?: { readonly sessionId?: string }): Promise<readonly PendingWake[]>;
  /**
   * Opens sessions whose timers are due and that nobody runs, and lets them go on, each with a result of its own.
   * Several processes may do it over one store: a session goes to one of them. One that waits for an approval is left
   * until that is decided, and one that cannot be opened is tried again, less and less often: every five minutes in the end.
   *
   * Rejects with `invalid_option`, `query_closed`, or `store_failed` where `once` is given.
   *
   * @example
   * ```ts
   * import { createHost } from "@castellan/sdk";
   *
   * const host = createHost();
   * await host.wakes.run({ once: true, options: { allowedTools: ["Read"] } });
   * await host.close();
   * ```
   */
  run(options?: RunWakesOptions): Promise<void>;
}

/** What the runner needs of its host. */
export interface WakesHost {
  readonly shared: Pick<Shared, "platform" | "store" | "ports">;
  query(params: QueryParams): Query;
  /** @throws CastellanError `query_closed` */
  mustBeOpen(): void;
  /** @param end called once, when the host closes. Gives what takes it back. */
  onClose(end: () => void): () => void;
}

/** A state whose timers are looked at. */
export type TimedState = Pick<SessionState, "timers" | "approvals">;
