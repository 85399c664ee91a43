import type { Semaphore } from "../platform/index.ts";
import type { SpawnedProcess, Spawner, SpawnRequest } from "../protocol/index.ts";

/**
 * Starts no more processes at once than the host allows; who comes later waits its turn. A process that is killed
 * before it has begun never begins. Those that run beside the conversation do not count: they may run for days.
 */
export function limitedSpawner(spawner: Spawner, places: Semaphore): Spawner {
  return new LimitedSpawner(spawner, places);
}

/** A class, for its getter: each object that has one of its own gets a shape of its own with it. */
class LimitedSpawner implements Spawner {
  readonly #spawner: Spawner;
  readonly #places: Semaphore;

  constructor(spawner: Spawner, places: Semaphore) {
    this.#spawner = spawner;
    this.#places = places;
  }

  get env(): Spawner["env"] {
    return this.#spawner.env;
  }

  spawn(request: SpawnRequest): SpawnedProcess {
    return request.isBackground === true ? this.#spawner.spawn(request) : this.#start(request);
  }

  #start(request: SpawnRequest): SpawnedProcess {
    const spawner = this.#spawner;
    const places = this.#places;
    let child: SpawnedProcess | undefined;
    let end: (ended: Awaited<SpawnedProcess["ended"]>) => void = () => {};
    const ended = new Promise<Awaited<SpawnedProcess["ended"]>>((resolve) => {
      end = resolve;
    });
    const giveUp = places.queue(() => {
      child = spawner.spawn(request);
      void child.ended.then((how) => {
        places.leave();
        end(how);
      });
    });
    return {
      get pid() {
        return child?.pid;
      },
      ended,
      // Only what runs in the background is held, and that waits for no place.
      begin: () => child?.begin(),
      kill(signal) {
        if (child !== undefined) child.kill(signal);
        else {
          giveUp();
          end({ kind: "exit", code: null, signal });
        }
      },
    };
  }
}
