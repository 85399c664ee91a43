import type { PolicyChange, PolicyHolder } from "../../gate/index.ts";
import { mayRead } from "../../permissions/index.ts";
import type {
  AnswerSchema,
  BackgroundShells,
  Checkpoints,
  PastHistory,
  Spawner,
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
  readonly history: PastHistory;
  readonly checkpoints: Checkpoints | undefined;
  /** For people. Must not throw. */
  notify(level: "warning", message: string): void;
}): ToolServices {
  // Nothing below holds `parts`.
  const { log, workspace, policy, answer, checkpoints, notify } = parts;
  return {
    ...(answer === undefined ? {} : { answer }),
    backgroundShells: parts.backgroundShells,
    history: parts.history,
    ...(checkpoints === undefined ? {} : { checkpoints }),
    mayRead: (path) => mayRead(policy.current().policy)(path),
    spawner: parts.spawner,
    files: {
      get: (path) => log.state.filesSeen.get(path),
      note(path, seen) {
        const known = log.state.filesSeen.get(path);
        if (known?.digest === seen.digest && known.partial === seen.partial) return;
        log.record("file.seen", { path, digest: seen.digest, partial: seen.partial });
      },
    },
    shell: {
      startDirectory: log.state.cwd,
      cwd: () => log.state.shellCwd,
      setCwd(path) {
        if (path !== log.state.shellCwd) log.record("cwd.changed", { cwd: path });
      },
      isInside: (path) => workspace.isInside(path),
    },
    planMode: {
      mode: () => policy.current().context.mode,
      enter: () => problemIn(policy.setMode("plan", "EnterPlanMode")),
      leave() {
        const change = policy.leavePlanMode("ExitPlanMode");
        if (change.ok && change.note !== undefined) notify("warning", change.note);
        return problemIn(change);
      },
    },
    todos: {
      get: () => log.state.todos,
      set: (todos) => log.record("todos.changed", { todos }),
    },
  };
}

function problemIn(change: PolicyChange): string | undefined {
  return change.ok ? undefined : change.error;
}
