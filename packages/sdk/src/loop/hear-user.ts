import { runUserPromptSubmit, tellEffect } from "../hooks/index.ts";
import type { UserMessage } from "../protocol/index.ts";
import type { LoopDeps, LoopHooks, TurnEnd } from "./deps.ts";
import { interrupted } from "./interrupted.ts";

/** Records the message that a turn is about, unless a hook keeps it back or the run is stopped: the turn's end then. */
export async function hearPrompt(
  deps: LoopDeps,
  message: UserMessage,
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  const hooks = hooksOf(deps);
  if (hooks === undefined) {
    deps.log.record("user.message", { message });
    return undefined;
  }
  return hear(deps, hooks, message, signal);
}

/** Records messages that come into a running turn. One that a hook keeps back is told of; the others come in. */
export async function hearSteering(
  deps: LoopDeps,
  messages: readonly UserMessage[],
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  const hooks = hooksOf(deps);
  let end: TurnEnd | undefined;
  for (const message of messages) {
    if (hooks === undefined) {
      deps.log.record("user.message", { message });
      continue;
    }
    if (end !== undefined) {
      hooks.notify(
        "warning",
        "A message did not reach the model: the run ended before its hooks were asked.",
      );
      continue;
    }
    const unheard = await hear(deps, hooks, message, signal);
    if (unheard === undefined) continue;
    if (unheard.kind === "prompt_blocked") {
      hooks.notify("warning", `A UserPromptSubmit hook blocked a message: ${unheard.reason}`);
      continue;
    }
    hooks.notify("warning", "A message did not reach the model: the run ended while its hooks were asked.");
    end = unheard;
  }
  return end;
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
