import type { EventData, SessionEventType } from "./events/index.ts";

/**
 * Where rooms put events. `record` is synchronous: the event gets its `seq`, moves the folded state
 * and waits in memory. `barrier` resolves once everything recorded so far is written to the store.
 */
export interface Recorder {
  record<T extends SessionEventType>(type: T, data: EventData<T>, cause?: string): void;
  /**
   * Rejects with `store_failed`, `store_conflict` or `lease_lost`; nothing that waited for it may then happen.
   *
   * @param sync what was recorded right before must outlast a power cut as well. Default: the end of this process.
   */
  barrier(sync?: boolean): Promise<void>;
}
