import type { BaseHookInput, HookInput, NotificationHookInput } from "../protocol/index.ts";
import type { HookTable } from "./compile.ts";
import { blocksOf, type CommonEffect, joined } from "./joined.ts";
import { type HookRunDeps, runAll } from "./run-matching.ts";

/** What the hooks of an event that can be blocked come to. */
export interface BlockableEffect extends CommonEffect {
  /** The reasons of those who block, in the order of the hooks. */
  readonly blocks: readonly string[];
}

/** Runs the UserPromptSubmit hooks in parallel. Never rejects; when `signal` has fired, the caller drops the effect. */
export function runUserPromptSubmit(
  table: HookTable,
  base: BaseHookInput,
  prompt: string,
  signal: AbortSignal,
  deps: HookRunDeps,
): Promise<BlockableEffect> {
  const input = () => ({ ...base, hook_event_name: "UserPromptSubmit", prompt }) as const;
  return run(table, "UserPromptSubmit", input, signal, deps);
}

/**
 * Runs the Stop hooks in parallel. Never rejects; when `signal` has fired, the caller drops the effect.
 *
 * @param end what the run would end with, and whether a Stop hook has kept it going already.
 */
export function runStop(
  table: HookTable,
  base: BaseHookInput,
  end: { readonly text: string; readonly isActive: boolean },
  signal: AbortSignal,
  deps: HookRunDeps,
): Promise<BlockableEffect> {
  const input = () =>
    ({
      ...base,
      hook_event_name: "Stop",
      stop_hook_active: end.isActive,
      last_assistant_message: end.text,
    }) as const;
  return run(table, "Stop", input, signal, deps);
}

/** What a Notification hook is told beside what every hook is. */
export type Told = Omit<NotificationHookInput, keyof BaseHookInput | "hook_event_name">;

/** Runs the Notification hooks in parallel. Never rejects; when `signal` has fired, the caller drops the effect. */
export async function runNotification(
  table: HookTable,
  base: BaseHookInput,
  told: Told,
  signal: AbortSignal,
  deps: HookRunDeps,
): Promise<CommonEffect> {
  const input = () => ({ ...base, ...told, hook_event_name: "Notification" }) as const;
  const callId = told.tool_use_id;
  return joined(await runAll(table.all("Notification"), input, callId, signal, deps), callId);
}

/** What a compaction hook is told of why. */
export interface ToldCompaction {
  readonly trigger: "manual" | "auto";
  /** What a person wants to be kept. */
  readonly wish: string | undefined;
}

/** Runs the PreCompact hooks in parallel. Never rejects; when `signal` has fired, the caller drops the effect. */
export function runPreCompact(
  table: HookTable,
  base: BaseHookInput,
  { trigger, wish }: ToldCompaction,
  signal: AbortSignal,
  deps: HookRunDeps,
): Promise<BlockableEffect> {
  const custom_instructions = wish ?? null;
  const input = () => ({ ...base, hook_event_name: "PreCompact", trigger, custom_instructions }) as const;
  return run(table, "PreCompact", input, signal, deps);
}

/** Runs the PostCompact hooks in parallel. Never rejects; when `signal` has fired, the caller drops the effect. */
export function runPostCompact(
  table: HookTable,
  base: BaseHookInput,
  told: { readonly trigger: "manual" | "auto"; readonly compact_summary: string },
  signal: AbortSignal,
  deps: HookRunDeps,
): Promise<CommonEffect> {
  const input = () => ({ ...base, ...told, hook_event_name: "PostCompact" }) as const;
  return run(table, "PostCompact", input, signal, deps);
}

async function run(
  table: HookTable,
  event: "UserPromptSubmit" | "Stop" | "PreCompact" | "PostCompact",
  input: () => HookInput,
  signal: AbortSignal,
  deps: HookRunDeps,
): Promise<BlockableEffect> {
  const runs = await runAll(table.all(event), input, undefined, signal, deps);
  return { ...joined(runs, undefined), blocks: blocksOf(runs) };
}
