/** Jobs in line, a line for each key. */
export interface Turns {
  /**
   * Runs `job` after all jobs of the key that were given before; one that failed holds nobody up.
   * With none before, it runs within this call, and what it gives or throws comes as it is.
   */
  take<T>(key: string, job: () => T | Promise<T>): T | Promise<T>;
  /** Resolves when no job is left. */
  idle(): Promise<void>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    take(key, job) {
      const before = last.get(key);
      const turn = before === undefined ? job() : before.then(job);
      if (!(turn instanceof Promise)) return turn;
      const settled = turn.then(
        () => {},
        () => {},
      );
      last.set(key, settled);
      void settled.then(() => {
        if (last.get(key) === settled) last.delete(key);
      });
      return turn;
    },
    async idle() {
      while (last.size > 0) await Promise.all(last.values());
    },
  };
}
