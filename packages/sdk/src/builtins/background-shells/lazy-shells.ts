import type { BackgroundTask } from "../../protocol/index.ts";
import type { LoggedTask, ShellDeps } from "./create-shells.ts";
import type { SessionShells } from "./session-shells.ts";
import { taskOf } from "./task-words.ts";

/** The background commands of a session. Their code is loaded with the first of them. */
export function lazyShells(deps: ShellDeps): SessionShells {
  return new LazyShells(deps);
}

class LazyShells implements SessionShells {
  readonly #deps: ShellDeps;
  #made: SessionShells | undefined;
  #loading: Promise<SessionShells> | undefined;
  #closed = false;

  constructor(deps: ShellDeps) {
    this.#deps = deps;
  }

  async start(request: Parameters<SessionShells["start"]>[0]): ReturnType<SessionShells["start"]> {
    if (this.#closed) return { ok: false, text: "The session has ended: nothing is started any more." };
    return (await this.#load()).start(request);
  }

  get(id: string): BackgroundTask | undefined {
    return this.#made?.get(id) ?? plain(id, this.#deps.tasks().get(id));
  }

  list(): readonly BackgroundTask[] {
    return this.#made?.list() ?? [...this.#deps.tasks()].flatMap(([id, task]) => plain(id, task) ?? []);
  }

  async read(...args: Parameters<SessionShells["read"]>): ReturnType<SessionShells["read"]> {
    return this.#isAny() ? (await this.#load()).read(...args) : undefined;
  }

  async wait(...args: Parameters<SessionShells["wait"]>): ReturnType<SessionShells["wait"]> {
    return this.#isAny() ? (await this.#load()).wait(...args) : undefined;
  }

  async stop(...args: Parameters<SessionShells["stop"]>): ReturnType<SessionShells["stop"]> {
    return this.#isAny() ? (await this.#load()).stop(...args) : undefined;
  }

  takeNews(): readonly string[] {
    return this.#made?.takeNews() ?? NOTHING;
  }

  hasNews(): boolean {
    return this.#made?.hasNews() === true;
  }

  async adopt(isFork: boolean): Promise<void> {
    const isOpen = [...this.#deps.tasks().values()].some(({ finished }) => finished === undefined);
    if (isOpen) await (await this.#load()).adopt(isFork);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#loading)?.close();
  }

  #isAny(): boolean {
    return this.#deps.tasks().size > 0;
  }

  #load(): Promise<SessionShells> {
    this.#loading ??= import("./create-shells.ts").then(({ createShells }) => {
      this.#made = createShells(this.#deps);
      return this.#made;
    });
    return this.#loading;
  }
}

const NOTHING: readonly string[] = [];

function plain(id: string, task: LoggedTask | undefined): BackgroundTask | undefined {
  return task === undefined ? undefined : taskOf(id, task);
}
