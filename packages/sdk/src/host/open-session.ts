import { resolve } from "node:path";
import { builtinTools } from "../builtins/index.ts";
import { buildRequest, type RequestPrefix, systemPrompt } from "../context/index.ts";
import { createGate, createPolicyHolder, type PolicyHolder } from "../gate/index.ts";
import { compileHooks } from "../hooks/index.ts";
import type { LoopDeps } from "../loop/index.ts";
import { bareDenied, type Finding, mayRead, placeOf, unknownNames } from "../permissions/index.ts";
import type { BaseHookInput, PermissionContext, SDKToolProgress, SessionEvent } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { createScheduler, type ProgressNote } from "../scheduler/index.ts";
import { createSessionLog, recoverRound, type SessionLog, type SessionState } from "../sessions/index.ts";
import { createWorkspace, findProjectRoot } from "../workspace/index.ts";
import { childEnv } from "./child-env.ts";
import type { Inbox } from "./inbox.ts";
import { loadSession } from "./load-session.ts";
import type { MessageQueue } from "./message-queue.ts";
import type { Options } from "./options/types.ts";
import { outputFormatOf } from "./output-format.ts";
import { RELEASE } from "./release.ts";
import { sessionServices } from "./services.ts";
import { sessionCatalogue } from "./session-catalogue.ts";
import { sessionModels } from "./session-models.ts";
import { startingRules } from "./session-rules.ts";
import type { Shared } from "./shared.ts";

/** A session that is ready for its first user turn. */
export interface OpenSession {
  readonly sessionId: string;
  readonly log: SessionLog;
  readonly policy: PolicyHolder;
  readonly loop: LoopDeps;
  /** An earlier run left something to go on with: results that are missing, or a message without an answer. */
  readonly unfinished: boolean;
}

export interface SessionParts {
  readonly shared: Shared;
  readonly options: Options;
  readonly newId: string;
  readonly inbox: Inbox;
  readonly queue: MessageQueue;
  /** Called once, when it is known which session it is. */
  onId(sessionId: string): void;
  /** Called for each event as it is recorded. */
  onEvent(event: SessionEvent, state: SessionState): void;
  notify(level: "info" | "warning" | "error", message: string): void;
}

/**
 * Makes a session out of its options: log, policy, catalogue, gate, scheduler, loop.
 * Nothing of the options object travels on.
 */
export async function openSession(parts: SessionParts): Promise<OpenSession> {
  const { shared, options, notify } = parts;
  const { platform } = shared;
  const hooks = compileHooks(options.hooks);
  const asked = resolve(platform.cwd(), options.cwd ?? "");
  const loaded = await loadSession(options, shared.store, parts.newId, asked);
  const { sessionId } = loaded;
  parts.onId(sessionId);
  const cwd = loaded.fresh ? asked : loaded.state.cwd;
  if (options.cwd !== undefined && asked !== cwd) throw elsewhere(sessionId, cwd, asked);
  const { model, fallback } = await sessionModels(options, loaded.state.configured?.model, shared.models, {
    ...{ platform, cwd },
  });
  const output = outputFormatOf(options.outputFormat);
  const start = startingRules(options, loaded.state, (path) => resolve(cwd, path));
  if (start.warning !== undefined) notify("warning", start.warning);

  const log = createSessionLog({
    store: shared.store,
    platform,
    sessionId,
    project: cwd,
    state: loaded.state,
    onEvent: parts.onEvent,
  });
  if (loaded.fresh) {
    const { title } = options;
    log.record("session.started", {
      ...{ sessionId, cwd, release: RELEASE },
      ...(title === undefined ? {} : { title }),
    });
  }
  const workspace = await createWorkspace({
    platform,
    startDirectory: cwd,
    home: platform.homedir(),
    additionalDirectories: () => [...policy.current().context.additionalDirectories.keys()],
  });
  const context: PermissionContext = {
    mode: start.mode,
    startDirectory: workspace.startDirectory,
    startDirectoryReal: workspace.startDirectoryReal,
    projectRoot: await findProjectRoot(platform, cwd),
    home: platform.homedir(),
    additionalDirectories: new Map(start.directories),
    rules: start.rules,
    isBypassAvailable: options.allowDangerouslySkipPermissions === true,
    planMode: options.planMode ?? "ceiling",
    ...(loaded.state.prePlanMode === undefined ? {} : { prePlanMode: loaded.state.prePlanMode }),
    avoidPrompts: false,
    trusted: options.trustWorkspace === true,
    caseInsensitiveFiles: workspace.caseInsensitive,
  };
  const policy = createPolicyHolder({ context, recorder: log });
  const services = sessionServices({
    log,
    workspace,
    spawner: platform.spawner(childEnv(platform.env, options.env)),
    answer: output?.answer,
    mayRead: (path) => mayRead(policy.current().policy)(path),
  });
  const catalogue = sessionCatalogue({
    builtins: builtinTools({ platform, services }),
    option: options.tools,
    recorded: loaded.state.configured?.tools,
    denied: (names) => bareDenied(policy.current().policy, names),
    notify,
  });
  const { policy: compiled } = policy.current();
  const names = catalogue.visible.map((tool) => tool.name);
  for (const finding of [...compiled.findings, ...unknownNames(compiled, names)])
    notify(...toldFinding(finding));

  const transcript = shared.store.locate?.(sessionId, cwd) ?? "";
  const hookInput = (): BaseHookInput => ({
    session_id: sessionId,
    transcript_path: transcript,
    cwd: log.state.shellCwd,
    permission_mode: policy.current().context.mode,
  });
  const gate = createGate({
    catalogue,
    workspace,
    policy,
    hooks,
    hookInput,
    canUseTool: options.canUseTool,
    canUseToolTimeoutMs: options.canUseToolTimeoutMs,
    canUseToolScope: options.canUseToolScope ?? "ask",
    services,
    platform,
    recorder: log,
    sessionId,
    notify,
  });
  const scheduler = createScheduler({
    gate,
    recorder: log,
    hooks,
    artifacts: shared.artifacts,
    platform,
    services,
    hookInput,
    sessionId,
    cwd,
    concurrency: shared.toolConcurrency,
    emit: (note) => parts.queue.push(progressMessage(note, platform.ids.uuid(), sessionId)),
    notify,
  });

  const text = catalogue.modelTools({ cwd, toolNames: new Set(names) });
  const prefix: RequestPrefix = {
    system: systemPrompt(options.systemPrompt, options.appendSystemPrompt, { cwd, os: platform.os }),
    tools: text.tools,
    builtinTools: text.builtins,
    settings: {
      ...(options.thinking === undefined ? {} : { thinking: options.thinking }),
      ...(options.effort === undefined ? {} : { effort: options.effort }),
    },
  };
  log.record("session.configured", {
    model: model.id,
    mode: context.mode,
    tools: names,
    rules: context.rules.filter((rule) => rule.source === "cliArg" || rule.source === "flagSettings"),
    additionalDirectories: [...context.additionalDirectories],
    ...(options.maxTurns === undefined ? {} : { maxTurns: options.maxTurns }),
  });
  const unfinished = !loaded.fresh && owesAnswer(log.state);
  for (const result of recoverRound(log.state)) log.record("tool.finished", result);
  return {
    sessionId,
    log,
    policy,
    unfinished,
    loop: {
      platform,
      log,
      scheduler,
      model: () => model,
      fallback,
      limiters: shared.models.limiters,
      prices: shared.models.prices,
      budget: { maxUsd: options.maxBudgetUsd, maxTokens: options.maxTokensBudget },
      output: output?.rule,
      loadArtifact: (hash) => shared.artifacts.get(hash),
      request: () => {
        const now = policy.current().context;
        return buildRequest(prefix, log.state.messages, { mode: now.mode, planMode: now.planMode });
      },
      maxTurns: options.maxTurns,
      emit: options.includePartialMessages === true ? (message) => parts.queue.push(message) : undefined,
      pressure: () => parts.queue.pressure(),
      steer: () => parts.inbox.steer(),
    },
  };
}

function elsewhere(sessionId: string, cwd: string, asked: string): CastellanError {
  return new CastellanError(
    "invalid_option",
    `Session ${sessionId} works in ${cwd}, options.cwd says ${asked}.`,
    {
      subject: "cwd",
      fix: "Leave cwd out when you resume.",
    },
  );
}

function progressMessage(note: ProgressNote, uuid: string, sessionId: string): SDKToolProgress {
  return {
    type: "tool_progress",
    uuid,
    session_id: sessionId,
    parent_tool_use_id: null,
    tool_use_id: note.callId,
    tool_name: note.name,
    progress: note.progress,
  };
}

function toldFinding(finding: Finding): ["info" | "warning" | "error", string] {
  const fix = finding.fix === undefined ? "" : ` ${finding.fix}`;
  return [finding.severity, `Rule ${finding.text} (${placeOf(finding)}): ${finding.message}${fix}`];
}

/** The last thing in the history waits for the model or for results. */
function owesAnswer(state: SessionState): boolean {
  if (state.round !== undefined) return true;
  const last = state.messages.at(-1);
  return last !== undefined && last.role !== "assistant";
}
