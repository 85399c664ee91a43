import type { PolicyHolder } from "../../gate/index.ts";
import {
  createSessionLog,
  forkedRound,
  recoverRound,
  type SessionLog,
  type SessionState,
} from "../../sessions/index.ts";
import { knowLog } from "../claims.ts";
import type { Options } from "../options/types.ts";
import type { Teller } from "../running/teller.ts";
import type { Shared } from "../shared.ts";
import { VERSION } from "../version.ts";
import type { LoadedSession } from "./load-session.ts";
import type { SessionServers } from "./session-servers.ts";

/** Opens the log of a session; that of a new one begins with `session.started`. */
export function beginLog(
  parts: { readonly shared: Shared; readonly options: Pick<Options, "title">; readonly teller: Teller },
  loaded: LoadedSession,
  cwd: string,
  epoch: number | undefined,
): SessionLog {
  const { platform, store, redact } = parts.shared;
  const { title } = parts.options;
  const { sessionId, state, isNewId, copied: unwritten = [] } = loaded;
  const { event: onEvent } = parts.teller;
  const log = createSessionLog({
    store,
    platform,
    sessionId,
    project: cwd,
    state,
    unwritten,
    isNewId,
    redact,
    epoch,
    snapshots: { release: VERSION, sha256: platform.sha256, seq: loaded.snapshotSeq },
    onEvent,
  });
  knowLog(store, sessionId, log);
  if (loaded.fresh) {
    const named = title === undefined ? {} : { title };
    log.record("session.started", { sessionId, cwd, release: VERSION, ...named });
  }
  return log;
}

/** What this run is set up with, and the results that a crash of the last one left open. */
export function recordSetup(
  log: SessionLog,
  policy: PolicyHolder,
  setup: {
    readonly model: string;
    readonly tools: readonly string[];
    readonly maxTurns: number | undefined;
    readonly isFork: boolean;
    readonly servers: SessionServers;
  },
): void {
  const { context } = policy.current();
  const { model, tools, maxTurns } = setup;
  const servers = setup.servers.status().map(({ name, status }) => ({ name, status }));
  log.record("session.configured", {
    release: VERSION,
    model,
    mode: context.mode,
    tools,
    // What updates of earlier runs added stays where it is, in the log's last `rules.changed`.
    rules: context.rules.filter(
      (rule) =>
        (rule.source === "cliArg" || rule.source === "flagSettings") &&
        !log.state.sessionRules.includes(rule),
    ),
    additionalDirectories: [...context.additionalDirectories],
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(servers.length === 0 ? {} : { mcpServers: servers }),
  });
  const results = setup.isFork ? forkedRound(log.state) : recoverRound(log.state);
  for (const result of results) log.record("tool.finished", result);
  if (!setup.isFork) return;
  for (const uuid of [...log.state.queue.keys()]) log.record("message.dropped", { uuid, why: "copied" });
}

/**
 * The last thing in the history waits for the model or for results, or a message waits to be heard.
 *
 * @param isFork messages that wait are the original's.
 */
export function owesAnswer(state: SessionState, isFork = false): boolean {
  if (state.round !== undefined || (state.queue.size > 0 && !isFork)) return true;
  const last = state.messages.at(-1);
  return last !== undefined && last.role !== "assistant";
}
