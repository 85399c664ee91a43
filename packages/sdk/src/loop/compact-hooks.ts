import { runPostCompact, runPreCompact, tellEffect } from "../hooks/index.ts";
import type { CompactTrigger, UserMessage } from "../protocol/index.ts";
import type { LoopDeps, TurnEnd } from "./deps.ts";
import { interrupted } from "./interrupted.ts";

/** What hooks make of a compaction that is about to be. */
export type BeforeCompaction =
  | { readonly kind: "go"; readonly wish: string | undefined }
  | { readonly kind: "blocked"; readonly why: string }
  | { readonly kind: "ended"; readonly end: TurnEnd };

/** Asks the PreCompact hooks; what they add joins the wish of the person. */
export async function beforeCompaction(
  { hooks, log, platform }: LoopDeps,
  signal: AbortSignal,
  { trigger, wish }: { readonly trigger: CompactTrigger; readonly wish?: string },
): Promise<BeforeCompaction> {
  if (hooks?.table.has("PreCompact") !== true) return { kind: "go", wish };
  const told = { trigger: triggerName(trigger), wish };
  const deps = { clock: platform.clock, started: hooks.started };
  const effect = await runPreCompact(hooks.table, hooks.input(), told, signal, deps);
  tellEffect(effect, { recorder: log, notify: hooks.notify });
  if (signal.aborted) return { kind: "ended", end: interrupted(signal) };
  if (effect.stop !== undefined) {
    return { kind: "ended", end: { kind: "hook_stopped", reason: effect.stop.reason } };
  }
  if (effect.blocks.length > 0) return { kind: "blocked", why: effect.blocks.join("; ") };
  const wishes = [...(wish === undefined ? [] : [wish]), ...effect.contexts];
  return { kind: "go", wish: wishes.length === 0 ? undefined : wishes.join("\n") };
}

/** Tells the PostCompact hooks. An end where one of them stops the run. */
export async function afterCompaction(
  { hooks, log, platform }: LoopDeps,
  signal: AbortSignal,
  trigger: CompactTrigger,
  { parts }: UserMessage,
): Promise<TurnEnd | undefined> {
  if (hooks?.table.has("PostCompact") !== true) return undefined;
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const told = { trigger: triggerName(trigger), compact_summary: text };
  const deps = { clock: platform.clock, started: hooks.started };
  const effect = await runPostCompact(hooks.table, hooks.input(), told, signal, deps);
  tellEffect(effect, { recorder: log, notify: hooks.notify });
  if (signal.aborted) return interrupted(signal);
  return effect.stop === undefined ? undefined : { kind: "hook_stopped", reason: effect.stop.reason };
}

function triggerName(trigger: CompactTrigger): "manual" | "auto" {
  return trigger === "manual" ? "manual" : "auto";
}
