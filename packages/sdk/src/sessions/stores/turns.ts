/** Jobs in line, a line for each key. */
export interface Turns {
  /** Runs `job` after all jobs of the key that were given before; one that failed holds nobody up. */
  take<T>(key: string, job: () => Promise<T>): Promise<T>;
  /** Resolves when no job is left. */
  idle(): Promise<void>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    take(key, job) {
      const before = last.get(key);
      const turn = before === undefined ? job() : before.then(job);
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
