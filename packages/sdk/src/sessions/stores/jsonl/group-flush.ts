/** One flush for all who wait. */
export interface GroupFlush {
  /** Resolves when a flush that began after this call is done. */
  flush(): Promise<void>;
  /** Resolves, never rejects, when none runs and none waits. */
  idle(): Promise<void>;
}

/** @param run makes everything written so far durable. */
export function createGroupFlush(run: () => Promise<void>): GroupFlush {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function begin(): Promise<void> {
    const now = run().finally(() => {
      if (running === now) running = undefined;
    });
    running = now;
    return now;
  }

  function flush(): Promise<void> {
    if (running === undefined) return begin();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  }

  return {
    flush,
    async idle() {
      while (running !== undefined || next !== undefined) await (next ?? running)?.catch(() => {});
    },
  };
}
