import { runUserPromptSubmit, tellEffect } from "../hooks/index.ts";
import type { UserMessage } from "../protocol/index.ts";
import type { LoopDeps, LoopHooks, TurnEnd } from "./deps.ts";
import { interrupted } from "./interrupted.ts";

/**
 * Records what an earlier run left waiting, then the message that the turn is about. The turn's end where a hook keeps
 * that one back, where nothing is left to answer, or where the run is stopped.
 *
 * @param message "command": the turn is about none, and does something else.
 */
export async function hearFirst(
  deps: LoopDeps,
  message: UserMessage | "command" | undefined,
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  const left = deps.steering.left();
  const unheard = left.length === 0 ? undefined : await hearSteering(deps, left, signal);
  if (unheard !== undefined) return unheard;
  if (message === "command") return undefined;
  if (message !== undefined) return hearPrompt(deps, message, signal);
  const { round, messages } = deps.log.state;
  const isAnswered = left.length > 0 && round === undefined && messages.at(-1)?.role === "assistant";
  return isAnswered ? { kind: "prompt_blocked", reason: "nothing else is left to answer" } : undefined;
}

/** Records the message that a turn is about, unless a hook keeps it back or the run is stopped: the turn's end then. */
async function hearPrompt(
  deps: LoopDeps,
  message: UserMessage,
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  const hooks = hooksOf(deps);
  if (hooks === undefined) {
    deps.log.record("user.message", { message });
    return undefined;
  }
  const end = await hear(deps, hooks, message, signal);
  if (end !== undefined) drop(deps, message, end.kind === "prompt_blocked" ? "blocked" : "stopped");
  return end;
}

/** A message that waited in the log waits there no more. */
function drop({ log }: LoopDeps, { uuid }: UserMessage, why: "blocked" | "stopped"): void {
  if (uuid !== undefined && log.state.queue.has(uuid)) log.record("message.dropped", { uuid, why });
}

/**
 * Records messages that come into a running turn. One that a hook keeps back is told of; the others come in. Those that
 * the end of the run cuts off wait again.
 *
 * @param behind what comes behind them and is no message: it waits again with those that are cut off.
 */
export async function hearSteering(
  deps: LoopDeps,
  messages: readonly UserMessage[],
  signal: AbortSignal,
  behind: readonly UserMessage[] = [],
): Promise<TurnEnd | undefined> {
  const hooks = hooksOf(deps);
  for (const [at, message] of messages.entries()) {
    if (hooks === undefined) {
      deps.log.record("user.message", { message });
      continue;
    }
    const unheard = await hear(deps, hooks, message, signal);
    if (unheard === undefined) continue;
    const isCut = unheard.kind === "interrupted";
    if (!isCut) drop(deps, message, "blocked");
    if (unheard.kind === "prompt_blocked") {
      hooks.notify("warning", `A UserPromptSubmit hook blocked a message: ${unheard.reason}`);
      continue;
    }
    if (!isCut) hooks.notify("warning", "A message did not reach the model: its hook ended the run.");
    deps.steering.giveBack([...messages.slice(isCut ? at : at + 1), ...behind]);
    return unheard;
  }
  return undefined;
}

/** Records for the model what has happened beside the turn. */
export function hearNews({ log, news }: Pick<LoopDeps, "log" | "news">): void {
  const lines = news?.() ?? [];
  if (lines.length === 0) return;
  const message = { role: "user", parts: [{ type: "text", text: lines.join("\n") }] } as const;
  log.record("user.message", { message, synthetic: true });
}

function hooksOf({ hooks }: LoopDeps): LoopHooks | undefined {
  return hooks?.table.has("UserPromptSubmit") === true ? hooks : undefined;
}

/** Undefined where the message was recorded. What is not recorded, no later request holds: the end that it comes to. */
async function hear(
  deps: LoopDeps,
  hooks: LoopHooks,
  message: UserMessage,
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  if (signal.aborted) return interrupted(signal);
  const { clock } = deps.platform;
  const runDeps = { clock, started: hooks.started };
  const effect = await runUserPromptSubmit(hooks.table, hooks.input(), textOf(message), signal, runDeps);
  tellEffect(effect, { recorder: deps.log, notify: hooks.notify });
  if (signal.aborted) return interrupted(signal);
  if (effect.stop !== undefined) return { kind: "hook_stopped", reason: effect.stop.reason };
  if (effect.blocks.length > 0) return { kind: "prompt_blocked", reason: effect.blocks.join("; ") };
  deps.log.record("user.message", { message });
  if (effect.contexts.length > 0) {
    const parts = effect.contexts.map((text) => ({ type: "text", text }) as const);
    deps.log.record("user.message", { message: { role: "user", parts }, synthetic: true });
  }
  return undefined;
}

function textOf({ parts }: UserMessage): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
