type Job = (isStale: boolean) => Promise<void>;

/** Which calls run beside each other: safe ones up to a number, others alone, in the order in which they come. */
export interface Lanes {
  /** A moment; `start` tells whether anything ran alone since. */
  mark(): number;
  /**
   * Resolves once a safe job has begun, or another one has ended. Jobs must not reject.
   *
   * @param job `isStale`: a job that runs alone has run since `mark`.
   */
  start(isSafe: boolean, mark: number, job: Job): Promise<void>;
  /** Resolves when nothing runs. */
  idle(): Promise<unknown>;
}

export function createLanes(cap: number): Lanes {
  return new RoundLanes(cap);
}

class RoundLanes implements Lanes {
  readonly #cap: number;
  readonly #running = new Set<Promise<void>>();
  /** How many have run alone. */
  #alone = 0;
  /** Whoever comes waits behind those who came before. */
  #door: Promise<void> = Promise.resolve();

  constructor(cap: number) {
    this.#cap = cap;
  }

  mark(): number {
    return this.#alone;
  }

  start(isSafe: boolean, mark: number, job: Job): Promise<void> {
    this.#door = this.#door.then(() => this.#enter(isSafe, mark, job));
    return this.#door;
  }

  idle(): Promise<unknown> {
    return this.#door.then(() => Promise.all(this.#running));
  }

  async #enter(isSafe: boolean, mark: number, job: Job): Promise<void> {
    const running = this.#running;
    if (!isSafe) await Promise.all(running);
    else while (running.size >= this.#cap) await Promise.race(running);
    const done = job(this.#alone !== mark);
    running.add(done);
    const end = (): void => void running.delete(done);
    if (isSafe) {
      void done.then(end);
      return;
    }
    this.#alone += 1;
    await done;
    end();
  }
}
