/** Lets so many in at once; who waits is let in in order of arrival. */
export interface Semaphore {
  /**
   * Undefined where there is room: then the caller is in. Else a promise that resolves once it is, and rejects in the
   * very moment in which the signal fires.
   */
  enter(signal: AbortSignal): Promise<void> | undefined;
  /** In at once, over the limit if need be. */
  enterNow(): void;
  /** Waits in the queue without a signal. `letIn` is called once, in this step where there is room. @returns what gives the place up. */
  queue(letIn: () => void): () => void;
  /** Out again; once for each that came in. */
  leave(): void;
  readonly now: { readonly active: number; readonly waiting: number };
}

/** @param limit at least 1. */
export function createSemaphore(limit: number): Semaphore {
  const waiting = new Set<() => void>();
  let active = 0;

  function admit(): void {
    for (const letIn of waiting) {
      if (active >= limit) return;
      waiting.delete(letIn);
      active += 1;
      letIn();
    }
  }

  function queue(letIn: () => void): () => void {
    // A function of its own for each, so that the same one may wait twice.
    const own = (): void => letIn();
    waiting.add(own);
    admit();
    return () => void waiting.delete(own);
  }

  return {
    enter(signal) {
      if (waiting.size === 0 && active < limit && !signal.aborted) {
        active += 1;
        return undefined;
      }
      return new Promise((resolve, reject) => {
        const refuse = (): void => reject(signal.reason as Error);
        if (signal.aborted) {
          refuse();
          return;
        }
        const leaveQueue = queue(() => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        });
        const onAbort = (): void => {
          leaveQueue();
          refuse();
        };
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
    enterNow() {
      active += 1;
    },
    queue,
    leave() {
      active -= 1;
      admit();
    },
    get now() {
      return { active, waiting: waiting.size };
    },
  };
}

/** One who is in, and may step aside for a while. */
export interface Place {
  stepAside(): void;
  /** In again at once, over the limit if need be. */
  comeBack(): void;
  /** Out for good, whatever comes later. */
  end(): void;
}

/** The place of one who has just come in. */
export function createPlace(semaphore: Semaphore): Place {
  let isIn = true;
  let isOver = false;
  const leave = (): void => {
    if (isIn) semaphore.leave();
    isIn = false;
  };
  return {
    stepAside: leave,
    comeBack() {
      if (isIn || isOver) return;
      isIn = true;
      semaphore.enterNow();
    },
    end() {
      leave();
      isOver = true;
    },
  };
}
