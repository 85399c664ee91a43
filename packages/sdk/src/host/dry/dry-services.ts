import type { PolicyHolder } from "../../gate/index.ts";
import { mayRead } from "../../permissions/index.ts";
import { CastellanError, type Recorder, type ToolServices } from "../../protocol/index.ts";
import type { Workspace } from "../../workspace/index.ts";

/** Every service is there, so that every tool is; none of them does anything. */
export function dryServices(parts: {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly workspace: Workspace;
  readonly policy: PolicyHolder;
}): ToolServices {
  const { cwd, environment, workspace, policy } = parts;
  return {
    ...MOUNTING,
    mayRead: (path) => mayRead(policy.current().policy)(path),
    shell: {
      startDirectory: cwd,
      cwd: () => cwd,
      setCwd: nothing,
      isInside: (path) => workspace.isInside(path),
    },
    spawner: { env: environment, spawn: runsNothing },
  };
}

const nothing = (): void => {};
const runsNothing = (): never => {
  throw new CastellanError("internal", "A dry run starts no process.");
};

/** What the built-in tools are made with, before there is a place to judge calls in. */
export const MOUNTING: ToolServices = {
  answer: { schema: { type: "object", properties: {} } },
  files: { get: () => undefined, note: nothing },
  history: { total: () => 0, read: async () => [] },
  mayRead: () => true,
  // The session's state is no matter of a dry run: a call that needs plan mode is judged as if it were on.
  planMode: { mode: () => "plan", enter: () => undefined, leave: () => undefined },
  shell: { startDirectory: "/", cwd: () => "/", setCwd: nothing, isInside: async () => false },
  spawner: { env: {}, spawn: runsNothing },
  timers: {
    list: () => [],
    set: async () => "A dry run sets no timer.",
    clear: async () => undefined,
    sleep: async (_, ms) => ({ kind: "stopped", sleptMs: 0, leftMs: ms }),
    rests: () => false,
    restsFor: () => false,
  },
  todos: { get: () => [], set: nothing },
};

/** A session that leaves no trace. */
export const NO_LOG: Recorder = { record: nothing, barrier: async () => {} };
