import { createGate, type GateDeps } from "../../gate/index.ts";
import type { LoopHooks } from "../../loop/index.ts";
import type { ToolServices } from "../../protocol/index.ts";
import { createScheduler, type Scheduler } from "../../scheduler/index.ts";
import type { SessionLog } from "../../sessions/index.ts";
import type { Catalogue } from "../../tools/index.ts";
import type { SessionDesk } from "../approvals/session-desk.ts";
import { atRest } from "../at-rest.ts";
import type { Options } from "../options/types.ts";
import type { Teller } from "../running/teller.ts";
import type { Shared } from "../shared.ts";
import type { SessionPolicy } from "./policy-ground.ts";

/** The way of every tool call: the gate, and behind it the scheduler. */
export function sessionScheduler(
  parts: SessionPolicy & {
    readonly shared: Shared;
    readonly options: Options;
    readonly sessionId: string;
    readonly cwd: string;
    readonly log: SessionLog;
    readonly hooks: LoopHooks;
    readonly services: ToolServices;
    readonly catalogue: Catalogue;
    readonly teller: Teller;
    readonly persist: NonNullable<GateDeps["persist"]>;
    readonly desk: SessionDesk | undefined;
  },
): Scheduler {
  const { shared, options, sessionId, cwd, log, policy, hooks, services, teller } = parts;
  const { platform } = shared;
  // Both are written out: what is spread gets a hidden class of its own in each session.
  const gate = createGate({
    hooks: hooks.table,
    hookInput: hooks.input,
    hookStarted: hooks.started,
    services,
    platform,
    sessionId,
    recorder: log,
    notify: teller.notify,
    catalogue: parts.catalogue,
    workspace: parts.workspace,
    policy,
    persist: parts.persist,
    desk: parts.desk,
    canUseTool:
      options.canUseTool === undefined
        ? undefined
        : teller.activity.watch(atRest(options.canUseTool, platform.clock, log.rest)),
    canUseToolTimeoutMs: options.canUseToolTimeoutMs,
    canUseToolScope: options.canUseToolScope ?? "ask",
  });
  return createScheduler({
    hooks: hooks.table,
    hookInput: hooks.input,
    hookStarted: hooks.started,
    services,
    platform,
    sessionId,
    recorder: log,
    notify: teller.notify,
    gate,
    artifacts: shared.artifacts,
    cwd,
    concurrency: shared.toolConcurrency,
    syncWrites: shared.syncWrites,
    emit: teller.progress,
    log: teller.toolLog,
  });
}
