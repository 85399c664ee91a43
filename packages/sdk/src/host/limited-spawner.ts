import type { Semaphore } from "../platform/index.ts";
import type { SpawnedProcess, Spawner, SpawnRequest } from "../protocol/index.ts";

/**
 * Starts no more processes at once than the host allows; who comes later waits its turn. A process that is killed
 * before it has begun never begins. Those that run beside the conversation do not count: they may run for days.
 */
export function limitedSpawner(spawner: Spawner, places: Semaphore): Spawner {
  return {
    get env() {
      return spawner.env;
    },
    spawn: (request) => (request.isBackground === true ? spawner.spawn(request) : start(request)),
  };

  function start(request: SpawnRequest): SpawnedProcess {
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
