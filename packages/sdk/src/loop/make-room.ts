import type { CompactTrigger, UserMessage } from "../protocol/index.ts";
import type { ModelChoice } from "./ask-with-retries.ts";
import { overspent } from "./budget.ts";
import type { CompactOutcome } from "./compact-history.ts";
import type { LoopDeps, TurnEnd } from "./deps.ts";

/** What is loaded only when a history is summed up. */
async function compact(
  deps: LoopDeps,
  choice: ModelChoice,
  signal: AbortSignal,
  why: { readonly trigger: CompactTrigger; readonly wish?: string },
): Promise<CompactOutcome> {
  const { compactHistory } = await import("./compact-history.ts");
  return compactHistory(deps, choice, signal, why);
}

/** Sums the history up where it has reached its threshold. An end where the run is over with that. */
export async function makeRoom(
  deps: LoopDeps,
  choice: ModelChoice,
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  const { context, log } = deps;
  if (context?.isAutomatic !== true) return undefined;
  const window = context.window(choice.current());
  if (window === undefined) return undefined;
  const tokens = context.meter.tokens(log.state.messages, context.prefix());
  if (tokens < window * context.threshold || tokens < context.quietBelow) return undefined;
  const outcome = await compact(deps, choice, signal, { trigger: "threshold" });
  if (outcome.kind === "ended") return outcome.end;
  // A summary is a request as well.
  return overspent(deps.budget, log.state);
}

/** Sums the history up for a model that has refused it. `again`: it is shorter now. */
export async function relieve(
  deps: LoopDeps,
  choice: ModelChoice,
  signal: AbortSignal,
): Promise<TurnEnd | "again" | undefined> {
  const { context, log } = deps;
  if (context?.isAutomatic !== true) return undefined;
  const over = overspent(deps.budget, log.state);
  if (over !== undefined) return over;
  const outcome = await compact(deps, choice, signal, { trigger: "overflow" });
  if (outcome.kind === "ended") return outcome.end;
  if (outcome.kind !== "compacted") return undefined;
  if (log.state.messages.at(-1)?.role === "assistant") {
    const text = "Your last answer broke off because the context was full. Go on where it ended.";
    log.record("user.message", {
      message: { role: "user", parts: [{ type: "text", text }] },
      synthetic: true,
    });
  }
  return overspent(deps.budget, log.state) ?? "again";
}

/** Sums the history up because a person says so. */
export async function compactNow(
  deps: LoopDeps,
  choice: ModelChoice,
  signal: AbortSignal,
  wish: string,
): Promise<TurnEnd> {
  const over = overspent(deps.budget, deps.log.state);
  if (over !== undefined) return over;
  const why = { trigger: "manual" as const, ...(wish === "" ? {} : { wish }) };
  const outcome = await compact(deps, choice, signal, why);
  switch (outcome.kind) {
    case "ended":
      return outcome.end;
    case "failed":
      return { kind: "model_error", message: outcome.message };
    case "nothing":
      return { kind: "completed", text: `Nothing was summed up: ${outcome.why}`, stopReason: "end_turn" };
    case "compacted": {
      const { messages, tokensBefore, tokensAfter } = outcome;
      const text = `Summed up ${messages} messages: about ${tokensBefore} tokens have become ${tokensAfter}.`;
      return { kind: "completed", text, stopReason: "end_turn" };
    }
  }
}

/** Messages that steer, apart from those among them that are the command to sum up. */
export function sortSteering(
  { context }: Pick<LoopDeps, "context">,
  messages: readonly UserMessage[],
): { readonly said: readonly UserMessage[]; readonly commands: readonly UserMessage[] } {
  if (context === undefined) return { said: messages, commands: [] };
  return {
    said: messages.filter((message) => compactWish(message) === undefined),
    commands: messages.filter((message) => compactWish(message) !== undefined),
  };
}

/** The same in the middle of a turn, which goes on whatever comes of it. */
export async function compactMidway(
  deps: LoopDeps,
  choice: ModelChoice,
  signal: AbortSignal,
  commands: readonly UserMessage[],
): Promise<TurnEnd | undefined> {
  if (commands.length === 0) return undefined;
  const wish = commands.map(compactWish).join("\n").trim();
  const end = await compactNow(deps, choice, signal, wish);
  return end.kind === "completed" || end.kind === "model_error" ? undefined : end;
}

const COMMAND = /^\/compact(?:\s+([\s\S]*))?$/;

/** What a person wants to be kept, where the message is the command to sum up; undefined for any other message. */
export function compactWish(message: UserMessage | undefined): string | undefined {
  const [part, ...others] = message?.parts ?? [];
  if (part?.type !== "text" || others.length > 0) return undefined;
  const found = COMMAND.exec(part.text.trim());
  return found === null ? undefined : (found[1] ?? "").trim();
}
