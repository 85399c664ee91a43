import type { Clock, Timer } from "../platform/index.ts";
import type { ArtifactStore } from "../protocol/index.ts";
import type { Round } from "./round.ts";

/**
 * The artifact store as the calls of one round use it: once the round is stopped, nothing waits for it longer than the
 * grace has left. What it stores later is stored, and named nowhere.
 */
export function boundedArtifacts(
  store: ArtifactStore,
  round: Pick<Round, "patient" | "graceLeft">,
  clock: Clock,
): ArtifactStore {
  return store.has === undefined
    ? new BoundedArtifacts(store, round, clock)
    : new LookedUpArtifacts(store, round, clock);
}

class BoundedArtifacts implements ArtifactStore {
  protected readonly store: ArtifactStore;
  readonly #round: Pick<Round, "patient" | "graceLeft">;
  readonly #clock: Clock;

  constructor(store: ArtifactStore, round: Pick<Round, "patient" | "graceLeft">, clock: Clock) {
    this.store = store;
    this.#round = round;
    this.#clock = clock;
  }

  put(bytes: Uint8Array): ReturnType<ArtifactStore["put"]> {
    return this.bounded(this.store.put(bytes));
  }

  get(hash: string): ReturnType<ArtifactStore["get"]> {
    return this.bounded(this.store.get(hash));
  }

  delete(hash: string): ReturnType<ArtifactStore["delete"]> {
    return this.store.delete(hash);
  }

  list(): ReturnType<ArtifactStore["list"]> {
    return this.store.list();
  }

  protected bounded<T>(work: Promise<T>): Promise<T> {
    const round = this.#round;
    const signal = round.patient();
    return new Promise((resolve, reject) => {
      let timer: Timer | undefined;
      const onAbort = (): void => {
        timer = this.#clock.timer(round.graceLeft(), () => {
          end();
          reject(new Error("the run was stopped before the store had answered"));
        });
      };
      const end = (): void => {
        timer?.cancel();
        signal.removeEventListener("abort", onAbort);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
      work.then(resolve, reject).finally(end);
    });
  }
}

/** Of a store that knows what it holds. */
class LookedUpArtifacts extends BoundedArtifacts {
  has(hash: string): Promise<boolean> {
    return this.bounded(this.store.has?.(hash) ?? Promise.resolve(false));
  }
}
