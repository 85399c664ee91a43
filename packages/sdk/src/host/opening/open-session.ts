import { builtinTools, lazyShells, mountedBuiltins, type SessionShells } from "../../builtins/index.ts";
import type { InstructionFile } from "../../context/index.ts";
import type { PolicyHolder } from "../../gate/index.ts";
import type { HookTable } from "../../hooks/index.ts";
import type { LoopContext, LoopDeps } from "../../loop/index.ts";
import { bareDenied } from "../../permissions/index.ts";
import type { Platform } from "../../platform/index.ts";
import type { SessionLog } from "../../sessions/index.ts";
import { openDesk } from "../approvals/open-desk.ts";
import type { SessionDesk } from "../approvals/session-desk.ts";
import { limitedSpawner } from "../limited-spawner.ts";
import type { Options } from "../options/types.ts";
import type { Inbox } from "../running/inbox-types.ts";
import type { MessageQueue } from "../running/message-queue.ts";
import type { Teller } from "../running/teller.ts";
import type { Shared } from "../shared.ts";
import { sessionTimers } from "../timers/session-timers.ts";
import type { OpenTimers } from "../timers/timer-types.ts";
import { childSpawner } from "./child-env.ts";
import { loadSession } from "./load-session.ts";
import { checkOutputTool, outputFormatOf } from "./output-format.ts";
import { persistUpdates } from "./persist-updates.ts";
import { redactedArtifacts } from "./redacted-artifacts.ts";
import { type RequestHead, requestHead } from "./request-head.ts";
import { sessionCatalogue } from "./session-catalogue.ts";
import { loopContext, pastHistory, RECALL_TOOL, sessionInstructions } from "./session-context.ts";
import { type SessionFiles, sessionFiles } from "./session-files.ts";
import { sessionHooks } from "./session-hooks.ts";
import { loopOf, prefixesOf } from "./session-loop.ts";
import { checkSpending, type SessionModels, sessionModels } from "./session-models.ts";
import { askedPlace, sessionPlace } from "./session-place.ts";
import { sessionPolicy, tellFindings } from "./session-policy.ts";
import { beginLog, owesAnswer, recordSetup } from "./session-record.ts";
import { sessionScheduler } from "./session-scheduler.ts";
import { type SessionServers, sessionServers } from "./session-servers.ts";
import { sessionServices } from "./session-services.ts";
import { sessionSettings } from "./session-settings.ts";

/** A session that is ready for its first user turn. */
export interface OpenSession {
  readonly sessionId: string;
  readonly log: SessionLog;
  readonly policy: PolicyHolder;
  readonly platform: Platform;
  readonly loop: LoopDeps;
  readonly models: SessionModels;
  readonly head: RequestHead;
  readonly servers: SessionServers;
  readonly files: SessionFiles;
  readonly shells: SessionShells;
  readonly timers: OpenTimers;
  /** Absent: the store keeps no approvals. */
  readonly desk: SessionDesk | undefined;
  readonly instructions: readonly InstructionFile[];
  readonly context: LoopContext;
  /** An earlier run left something to go on with: results that are missing, or a message without an answer. */
  readonly unfinished: boolean;
}

export interface SessionParts {
  readonly shared: Shared;
  readonly options: Options;
  readonly hooks: HookTable;
  /** The id of the session if it is a new one. */
  readonly newId: string;
  readonly inbox: Inbox;
  readonly queue: MessageQueue;
  readonly teller: Teller;
  /** Called once, when it is known which session it is. May throw. */
  claim(sessionId: string): void;
  /** Fires when the session ends, also while it opens. */
  stop(): AbortSignal;
  /** What is let go of when the session has ended, opened or not. */
  atEnd(release: () => Promise<void>): void;
}

/**
 * Makes a session out of its options: log, policy, catalogue, gate, scheduler, loop.
 * Nothing of the options object travels on.
 *
 * Rejects with a CastellanError that says what keeps the session from opening.
 */
export async function openSession(parts: SessionParts): Promise<OpenSession> {
  const { shared, options, teller, claim, newId } = parts;
  const { platform, store, artifacts } = shared;
  const asked = askedPlace(options.cwd, platform);
  const loaded = await loadSession({
    ...{ options, store, artifacts, platform, newId, cwd: asked, claim },
    notify: teller.notify,
  });
  const { sessionId, state, fresh } = loaded;
  const cwd = sessionPlace(options.cwd, fresh ? undefined : state.cwd, platform);
  const settings = await sessionSettings({ options, policy: shared.policy, platform, cwd });
  const models = await sessionModels(options, state.model, shared.models, {
    platform,
    cwd,
    standard: settings.values.model,
    warn: (line) => teller.notify("warning", line),
  });
  checkSpending(options, state);
  const output = outputFormatOf(options.outputFormat);
  if (settings.values.cleanup !== undefined) {
    shared.cleaner?.start(settings.values.cleanup.value, (line) => teller.notify("warning", line));
  }
  const log = beginLog(parts, loaded, cwd, await shared.lease?.epoch());
  const own = childSpawner(platform, settings.env, settings.home.home);
  const spawner = limitedSpawner(own, shared.processes);
  const places = await sessionPolicy({
    ...{ options, state, cwd, platform, recorder: log, teller, settings, spawner },
    isFork: loaded.copied !== undefined,
    kept: shared.kept,
  });
  const { answer } = output ?? {};
  const { notify } = teller;
  const isOn = options.enableFileCheckpointing === true;
  const files = sessionFiles({ platform, store, artifacts, log, isOn, notify });
  const tasks = () => log.state.tasks;
  // Baselines of files are kept whole: a redacted one would be written back.
  const kept = redactedArtifacts(artifacts, shared.redact, platform);
  const { wakes } = shared.ports;
  const timers = sessionTimers({ platform, wakes, log, inbox: parts.inbox, notify });
  const shells = lazyShells({
    ...{ platform, spawner, artifacts: kept, recorder: log, tasks, notify },
    listener: timers,
  });
  timers.listenTo(shells);
  parts.atEnd(async () => {
    await Promise.all([shells.close(), timers.close()]);
  });
  const { checkpoints } = files;
  const services = sessionServices({
    ...{ ...places, log, spawner, answer, checkpoints, backgroundShells: shells, timers, notify },
    history: pastHistory(store, log),
  });
  const servers = await sessionServers(options.mcpServers, { ...parts, platform, notify: teller.notify });
  const { policy } = places;
  const { configured } = state;
  const catalogue = await sessionCatalogue({
    builtins: mountedBuiltins(services),
    make: (names) => builtinTools({ platform, services }, names),
    option: options.tools,
    servers: servers.tools,
    toolAliases: options.toolAliases,
    recorded: configured && {
      tools: configured.tools,
      servers: (configured.mcpServers ?? []).map(({ name }) => name),
    },
    denied: (names) => bareDenied(policy.current().policy, names),
    notify: teller.notify,
  });
  const hooks = sessionHooks({ ...parts, sessionId, cwd, log, policy });
  const desk = openDesk({ ...parts, sessionId, log, hooks });
  const persist = persistUpdates({ platform, settings, notify: teller.notify });
  const all = {
    ...places,
    persist,
    desk,
    shared: kept === artifacts ? shared : { ...shared, artifacts: kept },
    options,
    sessionId,
    cwd,
    log,
    hooks,
    services,
    catalogue,
    teller,
  };
  const scheduler = sessionScheduler(all);
  const names = catalogue.visible.map((tool) => tool.name);
  checkOutputTool(output, names);
  tellFindings(policy, names, servers.named, teller);
  const instructions = await sessionInstructions({ ...places, options, settings, platform, cwd, notify });
  const { first, later } = prefixesOf(parts, catalogue, servers, cwd, instructions);
  const head = requestHead(first, later, log);
  const canRecall = names.includes(RECALL_TOOL);
  const context = loopContext({ options, models: shared.models, store, log, head, canRecall, notify });
  const isFork = loaded.copied !== undefined;
  const unfinished = !fresh && owesAnswer(log.state, isFork);
  await desk?.sweep();
  recordSetup(log, policy, {
    model: models.current().id,
    tools: names,
    maxTurns: options.maxTurns,
    isFork,
    servers,
  });
  await shells.adopt(isFork);
  await timers.open(isFork);
  // Whoever else writes this session is met before the model is asked, not after.
  if (!fresh) await log.barrier();
  return {
    sessionId,
    log,
    policy,
    platform,
    unfinished,
    models,
    head,
    servers,
    files,
    shells,
    timers,
    desk,
    instructions,
    context,
    loop: loopOf({ ...parts, shells, timers, log, policy, models, output, scheduler, hooks, head, context }),
  };
}
