/** Which calls run beside each other: safe ones up to a number, others alone, in the order in which they come. */
export interface Lanes {
  /** A moment; `start` tells whether anything ran alone since. */
  mark(): number;
  /**
   * Resolves once a safe job has begun, or another one has ended. Jobs must not reject.
   *
   * @param job `isStale`: a job that runs alone has run since `mark`.
   */
  start(isSafe: boolean, mark: number, job: (isStale: boolean) => Promise<void>): Promise<void>;
  /** Resolves when nothing runs. */
  idle(): Promise<unknown>;
}

export function createLanes(cap: number): Lanes {
  const running = new Set<Promise<void>>();
  /** How many have run alone. */
  let alone = 0;
  /** Whoever comes waits behind those who came before. */
  let door: Promise<void> = Promise.resolve();

  async function enter(
    isSafe: boolean,
    mark: number,
    job: (isStale: boolean) => Promise<void>,
  ): Promise<void> {
    if (!isSafe) await Promise.all(running);
    else while (running.size >= cap) await Promise.race(running);
    const done = job(alone !== mark);
    running.add(done);
    const end = (): void => void running.delete(done);
    if (isSafe) {
      void done.then(end);
      return;
    }
    alone += 1;
    await done;
    end();
  }

  return {
    mark: () => alone,
    start(isSafe, mark, job) {
      door = door.then(() => enter(isSafe, mark, job));
      return door;
    },
    idle: () => door.then(() => Promise.all(running)),
  };
}
