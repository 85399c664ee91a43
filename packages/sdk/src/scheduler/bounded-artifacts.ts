import type { Clock, Timer } from "../platform/index.ts";
import type { ArtifactStore } from "../protocol/index.ts";
import type { Round } from "./round.ts";

/**
 * The artifact store as the calls of one round use it: once the round is stopped, nothing waits for it longer than the
 * grace has left. What it stores later is stored, and named nowhere.
 */
export function boundedArtifacts(
  store: ArtifactStore,
  round: Pick<Round, "signal" | "graceLeft">,
  clock: Clock,
): ArtifactStore {
  const { signal } = round;
  const bounded = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      let timer: Timer | undefined;
      const onAbort = (): void => {
        timer = clock.timer(round.graceLeft(), () => {
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
  const { has } = store;
  return {
    put: (bytes) => bounded(store.put(bytes)),
    get: (hash) => bounded(store.get(hash)),
    ...(has === undefined ? {} : { has: (hash: string) => bounded(has.call(store, hash)) }),
    delete: (hash) => store.delete(hash),
    list: () => store.list(),
  };
}
