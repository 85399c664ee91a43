import { builtinTools, mountedBuiltins } from "../builtins/index.ts";
import { buildRequest, type RequestPrefix, systemPrompt } from "../context/index.ts";
import type { PolicyHolder } from "../gate/index.ts";
import type { HookTable } from "../hooks/index.ts";
import type { LoopDeps, LoopHooks } from "../loop/index.ts";
import { bareDenied, mayRead } from "../permissions/index.ts";
import type { Platform } from "../platform/index.ts";
import type { Spawner, ToolServices } from "../protocol/index.ts";
import type { Scheduler } from "../scheduler/index.ts";
import {
  createSessionLog,
  forkedRound,
  recoverRound,
  type SessionLog,
  type SessionState,
} from "../sessions/index.ts";
import type { Catalogue } from "../tools/index.ts";
import { childSpawner, sessionHome } from "./child-env.ts";
import type { Inbox } from "./inbox.ts";
import { type LoadedSession, loadSession } from "./load-session.ts";
import type { MessageQueue } from "./message-queue.ts";
import type { Options } from "./options/types.ts";
import { checkOutputTool, outputFormatOf } from "./output-format.ts";
import { RELEASE } from "./release.ts";
import { type RequestHead, requestHead } from "./request-head.ts";
import { sessionServices } from "./services.ts";
import { sessionCatalogue } from "./session-catalogue.ts";
import { sessionHooks } from "./session-hooks.ts";
import { checkSpending, type SessionModels, sessionModels } from "./session-models.ts";
import { askedPlace, sessionPlace } from "./session-place.ts";
import { type SessionPolicy, sessionPolicy, tellFindings } from "./session-policy.ts";
import { sessionScheduler } from "./session-scheduler.ts";
import { type SessionServers, sessionServers } from "./session-servers.ts";
import type { Shared } from "./shared.ts";
import type { Teller } from "./teller.ts";

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
  readonly stop: AbortSignal;
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
  const { platform, store } = shared;
  const asked = askedPlace(options.cwd, platform);
  const loaded = await loadSession({
    ...{ options, store, platform, newId, cwd: asked, claim },
    notify: teller.notify,
  });
  const { sessionId, state, fresh } = loaded;
  const cwd = sessionPlace(options.cwd, fresh ? undefined : state.cwd, platform);
  const models = await sessionModels(options, state.model, shared.models, {
    platform,
    cwd,
    warn: (line) => teller.notify("warning", line),
  });
  checkSpending(options, state);
  const output = outputFormatOf(options.outputFormat);
  const log = beginLog(parts, loaded, cwd);
  const home = sessionHome(platform, options.env);
  const spawner = childSpawner(platform, options.env, home.home);
  const places = await sessionPolicy({ options, state, cwd, platform, recorder: log, teller, home, spawner });
  const services = servicesOf(log, places, spawner, output?.answer, teller);
  const servers = await sessionServers(options.mcpServers, { ...parts, platform, notify: teller.notify });
  const catalogue = await catalogueFor(parts, services, state, places.policy, servers);
  const { policy } = places;
  const hooks = sessionHooks({ ...parts, sessionId, cwd, log, policy });
  const all = { ...places, shared, options, sessionId, cwd, log, hooks, services, catalogue, teller };
  const scheduler = sessionScheduler(all);
  const names = catalogue.visible.map((tool) => tool.name);
  checkOutputTool(output, names);
  tellFindings(places.policy, names, servers.named, teller);
  const head = requestHead(prefixOf(parts, catalogue, servers, cwd));
  const unfinished = !fresh && owesAnswer(log.state);
  recordSetup(log, places.policy, {
    model: models.current().id,
    tools: names,
    maxTurns: options.maxTurns,
    isFork: loaded.copied !== undefined,
    servers,
  });
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
    loop: loopOf(parts, { log, policy, models, output, scheduler, hooks, head }),
  };
}

function beginLog({ shared, options, teller }: SessionParts, loaded: LoadedSession, cwd: string): SessionLog {
  const { platform, store } = shared;
  const { sessionId, state, isNewId, copied: unwritten = [] } = loaded;
  const { event: onEvent } = teller;
  const log = createSessionLog({
    store,
    platform,
    sessionId,
    project: cwd,
    state,
    unwritten,
    isNewId,
    onEvent,
  });
  if (loaded.fresh) {
    const title = options.title === undefined ? {} : { title: options.title };
    log.record("session.started", { sessionId, cwd, release: RELEASE, ...title });
  }
  return log;
}

function servicesOf(
  log: SessionLog,
  places: SessionPolicy,
  spawner: Spawner,
  answer: ToolServices["answer"],
  { notify }: Teller,
): ToolServices {
  const { workspace, policy } = places;
  return sessionServices({
    log,
    workspace,
    policy,
    spawner,
    answer,
    notify,
    mayRead: (path) => mayRead(policy.current().policy)(path),
  });
}

function catalogueFor(
  { shared, options, teller }: SessionParts,
  services: ToolServices,
  state: SessionState,
  policy: PolicyHolder,
  servers: SessionServers,
): Promise<Catalogue> {
  const { configured } = state;
  return sessionCatalogue({
    builtins: mountedBuiltins(services),
    make: (names) => builtinTools({ platform: shared.platform, services }, names),
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
}

function prefixOf(
  { shared, options }: SessionParts,
  catalogue: Catalogue,
  servers: SessionServers,
  cwd: string,
): RequestPrefix {
  const text = catalogue.modelTools({ cwd, toolNames: new Set(catalogue.visible.map((tool) => tool.name)) });
  const facts = { cwd, os: shared.platform.os };
  return {
    system: [
      ...systemPrompt(options.systemPrompt, options.appendSystemPrompt, facts),
      ...servers.instructions(catalogue.visible),
    ],
    tools: text.tools,
    builtinTools: text.builtins,
    settings: {
      ...(options.thinking === undefined ? {} : { thinking: options.thinking }),
      ...(options.effort === undefined ? {} : { effort: options.effort }),
    },
  };
}

/** What this run is set up with, and the results that a crash of the last one left open. */
function recordSetup(
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
}

function loopOf(
  { shared, options, queue, inbox, teller }: SessionParts,
  made: {
    readonly log: SessionLog;
    readonly policy: PolicyHolder;
    readonly models: SessionModels;
    readonly output: ReturnType<typeof outputFormatOf>;
    readonly scheduler: Scheduler;
    readonly hooks: LoopHooks;
    readonly head: RequestHead;
  },
): LoopDeps {
  const { log, policy, models, output, scheduler, hooks, head } = made;
  return {
    platform: shared.platform,
    log,
    scheduler,
    hooks,
    model: models.current,
    fallback: models.fallback,
    limiters: shared.models.limiters,
    held: (request) => teller.held(request, policy.current().context.mode),
    prices: shared.models.prices,
    budget: { maxUsd: options.maxBudgetUsd, maxTokens: options.maxTokensBudget },
    output: output?.rule,
    loadArtifact: (hash) => shared.artifacts.get(hash),
    request: () => {
      const { mode, planMode } = policy.current().context;
      return buildRequest(head.current(), log.state.messages, { mode, planMode });
    },
    maxTurns: options.maxTurns,
    emit: options.includePartialMessages === true ? (message) => queue.push(message) : undefined,
    pressure: () => queue.pressure(),
    steer: () => inbox.steer(),
  };
}

/** The last thing in the history waits for the model or for results. */
function owesAnswer(state: SessionState): boolean {
  if (state.round !== undefined) return true;
  const last = state.messages.at(-1);
  return last !== undefined && last.role !== "assistant";
}
