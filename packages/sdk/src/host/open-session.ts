import { builtinTools } from "../builtins/index.ts";
import { buildRequest, type RequestPrefix, systemPrompt } from "../context/index.ts";
import type { PolicyHolder } from "../gate/index.ts";
import type { HookTable } from "../hooks/index.ts";
import type { LoopDeps } from "../loop/index.ts";
import { bareDenied, mayRead } from "../permissions/index.ts";
import type { Platform } from "../platform/index.ts";
import type { ToolServices } from "../protocol/index.ts";
import type { Scheduler } from "../scheduler/index.ts";
import { createSessionLog, recoverRound, type SessionLog, type SessionState } from "../sessions/index.ts";
import type { Catalogue } from "../tools/index.ts";
import { childEnv } from "./child-env.ts";
import type { Inbox } from "./inbox.ts";
import { type LoadedSession, loadSession } from "./load-session.ts";
import type { MessageQueue } from "./message-queue.ts";
import type { Options } from "./options/types.ts";
import { outputFormatOf } from "./output-format.ts";
import { RELEASE } from "./release.ts";
import { sessionServices } from "./services.ts";
import { sessionCatalogue } from "./session-catalogue.ts";
import { type SessionModels, sessionModels } from "./session-models.ts";
import { askedPlace, sessionPlace } from "./session-place.ts";
import { type SessionPolicy, sessionPolicy, tellFindings } from "./session-policy.ts";
import { sessionScheduler } from "./session-scheduler.ts";
import type { Shared } from "./shared.ts";
import type { Teller } from "./teller.ts";

/** A session that is ready for its first user turn. */
export interface OpenSession {
  readonly sessionId: string;
  readonly log: SessionLog;
  readonly policy: PolicyHolder;
  readonly platform: Platform;
  readonly loop: LoopDeps;
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
}

/**
 * Makes a session out of its options: log, policy, catalogue, gate, scheduler, loop.
 * Nothing of the options object travels on.
 *
 * Rejects with a CastellanError that says what keeps the session from opening.
 */
export async function openSession(parts: SessionParts): Promise<OpenSession> {
  const { shared, options, hooks, teller, claim, newId } = parts;
  const { platform, store } = shared;
  const asked = askedPlace(options.cwd, platform);
  const loaded = await loadSession({ options, store, newId, cwd: asked, claim });
  const { sessionId, state, fresh } = loaded;
  const cwd = await sessionPlace(options.cwd, fresh ? undefined : state.cwd, platform);
  const models = await sessionModels(options, state.configured?.model, shared.models, {
    platform,
    cwd,
    warn: (line) => teller.notify("warning", line),
  });
  const output = outputFormatOf(options.outputFormat);
  const log = beginLog(parts, loaded, cwd);
  const places = await sessionPolicy({ options, state, cwd, platform, recorder: log, teller });
  const services = servicesOf(parts, log, places, output?.answer);
  const catalogue = catalogueOf(parts, services, state, places.policy);
  const all = { ...places, shared, options, sessionId, cwd, log, hooks, services, catalogue, teller };
  const scheduler = sessionScheduler(all);
  const names = catalogue.visible.map((tool) => tool.name);
  tellFindings(places.policy, names, teller);
  const prefix = prefixOf(parts, catalogue, cwd);
  const unfinished = !fresh && owesAnswer(log.state);
  recordSetup(log, places.policy, { model: models.model.id, tools: names, maxTurns: options.maxTurns });
  // Whoever else writes this session is met before the model is asked, not after.
  if (!fresh) await log.barrier();
  const { policy } = places;
  return {
    sessionId,
    log,
    policy,
    platform,
    unfinished,
    loop: loopOf(parts, { log, policy, models, output, scheduler, prefix }),
  };
}

function beginLog({ shared, options, teller }: SessionParts, loaded: LoadedSession, cwd: string): SessionLog {
  const { platform, store } = shared;
  const { sessionId, state } = loaded;
  const log = createSessionLog({ store, platform, sessionId, project: cwd, state, onEvent: teller.event });
  if (loaded.fresh) {
    const title = options.title === undefined ? {} : { title: options.title };
    log.record("session.started", { sessionId, cwd, release: RELEASE, ...title });
  }
  return log;
}

function servicesOf(
  { shared, options }: SessionParts,
  log: SessionLog,
  places: SessionPolicy,
  answer: ToolServices["answer"],
): ToolServices {
  const { workspace, policy } = places;
  return sessionServices({
    log,
    workspace,
    spawner: shared.platform.spawner(childEnv(shared.platform.env, options.env)),
    answer,
    mayRead: (path) => mayRead(policy.current().policy)(path),
  });
}

function catalogueOf(
  { shared, options, teller }: SessionParts,
  services: ToolServices,
  state: SessionState,
  policy: PolicyHolder,
): Catalogue {
  return sessionCatalogue({
    builtins: builtinTools({ platform: shared.platform, services }),
    option: options.tools,
    recorded: state.configured?.tools,
    denied: (names) => bareDenied(policy.current().policy, names),
    notify: teller.notify,
  });
}

function prefixOf({ shared, options }: SessionParts, catalogue: Catalogue, cwd: string): RequestPrefix {
  const text = catalogue.modelTools({ cwd, toolNames: new Set(catalogue.visible.map((tool) => tool.name)) });
  const facts = { cwd, os: shared.platform.os };
  return {
    system: systemPrompt(options.systemPrompt, options.appendSystemPrompt, facts),
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
  setup: { readonly model: string; readonly tools: readonly string[]; readonly maxTurns: number | undefined },
): void {
  const { context } = policy.current();
  const { model, tools, maxTurns } = setup;
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
  });
  for (const result of recoverRound(log.state)) log.record("tool.finished", result);
}

function loopOf(
  { shared, options, queue, inbox }: SessionParts,
  made: {
    readonly log: SessionLog;
    readonly policy: PolicyHolder;
    readonly models: SessionModels;
    readonly output: ReturnType<typeof outputFormatOf>;
    readonly scheduler: Scheduler;
    readonly prefix: RequestPrefix;
  },
): LoopDeps {
  const { log, policy, models, output, scheduler, prefix } = made;
  return {
    platform: shared.platform,
    log,
    scheduler,
    model: () => models.model,
    fallback: models.fallback,
    limiters: shared.models.limiters,
    prices: shared.models.prices,
    budget: { maxUsd: options.maxBudgetUsd, maxTokens: options.maxTokensBudget },
    output: output?.rule,
    loadArtifact: (hash) => shared.artifacts.get(hash),
    request: () => {
      const { mode, planMode } = policy.current().context;
      return buildRequest(prefix, log.state.messages, { mode, planMode });
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
