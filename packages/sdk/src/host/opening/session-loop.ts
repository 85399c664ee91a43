import type { SessionShells } from "../../builtins/index.ts";
import {
  buildRequest,
  type InstructionFile,
  instructionBlocks,
  type RequestPrefix,
  systemPrompt,
} from "../../context/index.ts";
import type { PolicyHolder } from "../../gate/index.ts";
import type { LoopContext, LoopDeps, LoopHooks } from "../../loop/index.ts";
import type { Scheduler } from "../../scheduler/index.ts";
import type { SessionLog, SessionState } from "../../sessions/index.ts";
import type { Catalogue } from "../../tools/index.ts";
import type { Options } from "../options/types.ts";
import type { Inbox } from "../running/inbox-types.ts";
import type { MessageQueue } from "../running/message-queue.ts";
import type { Teller } from "../running/teller.ts";
import type { Shared } from "../shared.ts";
import type { OpenTimers } from "../timers/timer-types.ts";
import type { OutputFormat } from "./output-format.ts";
import type { RequestHead } from "./request-head.ts";
import { RECALL_TOOL } from "./session-context.ts";
import type { SessionModels } from "./session-models.ts";
import type { SessionServers } from "./session-servers.ts";

/**
 * What every request of a run begins with: system prompt, tools, settings. Unless the options name it, the tool to look
 * back with comes in with the first compaction.
 */
export function prefixesOf(
  { shared, options }: { readonly shared: Shared; readonly options: Options },
  catalogue: Catalogue,
  servers: SessionServers,
  cwd: string,
  instructions: readonly InstructionFile[],
): { readonly first: RequestPrefix; readonly later: RequestPrefix | undefined } {
  const text = catalogue.modelTools({ cwd, toolNames: new Set(catalogue.visible.map((tool) => tool.name)) });
  const facts = { cwd, os: shared.platform.os };
  const whole = {
    system: [
      ...systemPrompt(options.systemPrompt, options.appendSystemPrompt, facts),
      ...instructionBlocks(instructions),
      ...servers.instructions(catalogue.visible),
    ],
    tools: text.tools,
    builtinTools: text.builtins,
    settings: {
      ...(options.thinking === undefined ? {} : { thinking: options.thinking }),
      ...(options.effort === undefined ? {} : { effort: options.effort }),
    },
  };
  const isNamed = Array.isArray(options.tools) && options.tools.includes(RECALL_TOOL);
  const tools = isNamed ? text.tools : text.tools.filter(({ name }) => name !== RECALL_TOOL);
  if (tools.length === text.tools.length) return { first: whole, later: undefined };
  return { first: { ...whole, tools, builtinTools: text.builtins - 1 }, later: whole };
}

/** What the turns of a session run with. */
export function loopOf(parts: {
  readonly shared: Shared;
  readonly options: Options;
  readonly queue: MessageQueue;
  readonly inbox: Inbox;
  readonly teller: Teller;
  readonly log: SessionLog;
  readonly policy: PolicyHolder;
  readonly models: SessionModels;
  readonly output: OutputFormat | undefined;
  readonly scheduler: Scheduler;
  readonly hooks: LoopHooks;
  readonly head: RequestHead;
  readonly shells: SessionShells;
  readonly timers: OpenTimers;
  readonly context: LoopContext;
}): LoopDeps {
  const { shared, options, queue, inbox, teller } = parts;
  const { log, policy, models, output, scheduler, hooks, head, shells, timers, context } = parts;
  return {
    platform: shared.platform,
    log,
    scheduler,
    hooks,
    model: () => models.current(),
    fallback: models.fallback,
    limiters: shared.models.limiters,
    held: (request) => teller.held(request, policy.current().context.mode),
    prices: shared.models.prices,
    budget: { maxUsd: options.maxBudgetUsd, maxTokens: options.maxTokensBudget },
    output: output?.rule,
    loadArtifact: (hash) => shared.artifacts.get(hash),
    request: () => {
      const { mode, planMode } = policy.current().context;
      const { messages, todos, tasks } = log.state;
      return buildRequest(head.current(), messages, { mode, planMode, todos, tasks: running(tasks) });
    },
    context,
    maxTurns: options.maxTurns,
    syncWrites: shared.syncWrites,
    streams: shared.streams,
    emit: options.includePartialMessages === true ? (message) => queue.push(message) : undefined,
    pressure: () => queue.pressure(),
    steering: inbox,
    news: () => {
      timers.deliver();
      return shells.takeNews();
    },
  };
}

const NONE: readonly never[] = [];

function running(tasks: SessionState["tasks"]): readonly { readonly id: string; readonly command: string }[] {
  if (tasks.size === 0) return NONE;
  return [...tasks].flatMap(([id, { started, finished }]) =>
    finished === undefined ? [{ id, command: started.command }] : [],
  );
}
