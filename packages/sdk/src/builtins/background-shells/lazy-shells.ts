import type { BackgroundTask } from "../../protocol/index.ts";
import type { LoggedTask, ShellDeps } from "./create-shells.ts";
import type { SessionShells } from "./session-shells.ts";
import { taskOf } from "./task-words.ts";

/** The background commands of a session. Their code is loaded with the first of them. */
export function lazyShells(deps: ShellDeps): SessionShells {
  let made: SessionShells | undefined;
  let loading: Promise<SessionShells> | undefined;
  let closed = false;
  const load = (): Promise<SessionShells> => {
    loading ??= import("./create-shells.ts").then(({ createShells }) => {
      made = createShells(deps);
      return made;
    });
    return loading;
  };
  const isAny = (): boolean => deps.tasks().size > 0;
  return {
    async start(request) {
      if (closed) return { ok: false, text: "The session has ended: nothing is started any more." };
      return (await load()).start(request);
    },
    get: (id) => made?.get(id) ?? plain(id, deps.tasks().get(id)),
    list: () => made?.list() ?? [...deps.tasks()].flatMap(([id, task]) => plain(id, task) ?? []),
    read: async (id, options) => (isAny() ? (await load()).read(id, options) : undefined),
    wait: async (id, timeoutMs, signal) => (isAny() ? (await load()).wait(id, timeoutMs, signal) : undefined),
    stop: async (id, by, isTold) => (isAny() ? (await load()).stop(id, by, isTold) : undefined),
    takeNews: () => made?.takeNews() ?? NOTHING,
    async adopt(isFork) {
      const isOpen = [...deps.tasks().values()].some(({ finished }) => finished === undefined);
      if (isOpen) await (await load()).adopt(isFork);
    },
    async close() {
      closed = true;
      await (await loading)?.close();
    },
  };
}

const NOTHING: readonly string[] = [];

function plain(id: string, task: LoggedTask | undefined): BackgroundTask | undefined {
  return task === undefined ? undefined : taskOf(id, task);
}
