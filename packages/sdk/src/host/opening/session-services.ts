import type { PolicyChange, PolicyHolder } from "../../gate/index.ts";
import { mayRead } from "../../permissions/index.ts";
import type {
  AnswerSchema,
  BackgroundShells,
  Checkpoints,
  FileLedger,
  PastHistory,
  PermissionMode,
  PlanModeSwitch,
  SeenFile,
  SessionTimers,
  ShellState,
  Spawner,
  TodoItem,
  TodoList,
  ToolServices,
} from "../../protocol/index.ts";
import type { SessionLog } from "../../sessions/index.ts";
import type { Workspace } from "../../workspace/index.ts";

/** What the built-in tools of one session get from above. State stands in the log, so it survives a resume. */
export function sessionServices(parts: {
  readonly log: Pick<SessionLog, "record" | "state">;
  readonly workspace: Workspace;
  readonly policy: PolicyHolder;
  readonly spawner: Spawner;
  readonly answer?: AnswerSchema | undefined;
  readonly backgroundShells: BackgroundShells;
  readonly timers: SessionTimers;
  readonly history: PastHistory;
  readonly checkpoints: Checkpoints | undefined;
  /** For people. Must not throw. */
  notify(level: "warning", message: string): void;
}): ToolServices {
  // Nothing below holds `parts`. They are classes: a session that waits holds one object for each of them.
  const { log, workspace, policy, answer, checkpoints } = parts;
  return {
    ...(answer === undefined ? {} : { answer }),
    backgroundShells: parts.backgroundShells,
    history: parts.history,
    ...(checkpoints === undefined ? {} : { checkpoints }),
    mayRead: (path) => mayRead(policy.current().policy)(path),
    spawner: parts.spawner,
    files: new SeenFiles(log),
    shell: new ShellPlace(log, workspace),
    planMode: new PlanMode(policy, parts.notify),
    timers: parts.timers,
    todos: new Todos(log),
  };
}

type Log = Pick<SessionLog, "record" | "state">;

class SeenFiles implements FileLedger {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  get(path: string): ReturnType<FileLedger["get"]> {
    return this.#log.state.filesSeen.get(path);
  }

  note(path: string, seen: SeenFile): void {
    const known = this.get(path);
    if (known?.digest === seen.digest && known.partial === seen.partial) return;
    this.#log.record("file.seen", { path, digest: seen.digest, partial: seen.partial });
  }
}

class ShellPlace implements ShellState {
  readonly startDirectory: string;
  readonly #log: Log;
  readonly #workspace: Workspace;

  constructor(log: Log, workspace: Workspace) {
    this.startDirectory = log.state.cwd;
    this.#log = log;
    this.#workspace = workspace;
  }

  cwd(): string {
    return this.#log.state.shellCwd;
  }

  setCwd(path: string): void {
    if (path !== this.cwd()) this.#log.record("cwd.changed", { cwd: path });
  }

  isInside(path: string): Promise<boolean> {
    return this.#workspace.isInside(path);
  }
}

class PlanMode implements PlanModeSwitch {
  readonly #policy: PolicyHolder;
  readonly #notify: Notify;

  constructor(policy: PolicyHolder, notify: Notify) {
    this.#policy = policy;
    this.#notify = notify;
  }

  mode(): PermissionMode {
    return this.#policy.current().context.mode;
  }

  enter(): string | undefined {
    return problemIn(this.#policy.setMode("plan", "EnterPlanMode"));
  }

  leave(): string | undefined {
    const change = this.#policy.leavePlanMode("ExitPlanMode");
    if (change.ok && change.note !== undefined) this.#notify("warning", change.note);
    return problemIn(change);
  }
}

class Todos implements TodoList {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  get(): readonly TodoItem[] {
    return this.#log.state.todos;
  }

  set(todos: readonly TodoItem[]): void {
    this.#log.record("todos.changed", { todos });
  }
}

type Notify = (level: "warning", message: string) => void;

function problemIn(change: PolicyChange): string | undefined {
  return change.ok ? undefined : change.error;
}
