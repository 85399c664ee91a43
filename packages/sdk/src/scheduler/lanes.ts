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
  idle(): Promise<void>;
}

export function createLanes(cap: number): Lanes {
  return new RoundLanes(cap);
}

class RoundLanes implements Lanes {
  readonly #cap: number;
  // Made for the first job: a round whose call waits for a person has none yet.
  #running: Set<Promise<void>> | undefined;
  /** How many have run alone. */
  #alone = 0;
  /** Whoever comes waits behind those who came before. */
  #door: Promise<void> | undefined;

  constructor(cap: number) {
    this.#cap = cap;
  }

  mark(): number {
    return this.#alone;
  }

  start(isSafe: boolean, mark: number, job: Job): Promise<void> {
    const door = this.#door ?? Promise.resolve();
    this.#door = door.then(() => this.#enter(isSafe, mark, job));
    return this.#door;
  }

  async idle(): Promise<void> {
    await this.#door;
    await Promise.all(this.#running ?? []);
  }

  async #enter(isSafe: boolean, mark: number, job: Job): Promise<void> {
    this.#running ??= new Set();
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
