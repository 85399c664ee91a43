import { createContextMeter, loadCompaction, messageTokens } from "../context/index.ts";
import type { CompactTrigger, EventData, Message } from "../protocol/index.ts";
import { CastellanError, errorText, NO_USAGE } from "../protocol/index.ts";
import { type Original, originals } from "../sessions/index.ts";
import type { ModelChoice } from "./ask-with-retries.ts";
import { afterCompaction, beforeCompaction } from "./compact-hooks.ts";
import type { LoopDeps, TurnEnd } from "./deps.ts";
import type { LoopContext } from "./loop-context.ts";
import { recordSpent } from "./priced.ts";
import { writeSummary } from "./write-summary.ts";

/** Tokens at the end of a history that stay as they are: this share of the window, and never more than this. */
const KEEP_SHARE = 0.2;
const KEEP_MOST = 40_000;
/** Characters of what people said that are held on to. */
const WORDS_LEAST = 4_000;
const WORDS_MOST = 40_000;
/** How much a history must grow before it is summed up again by itself. */
const GROWTH = 1.15;

export type CompactOutcome =
  | {
      readonly kind: "compacted";
      readonly messages: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  /** The history is as it was, since nothing could be won. */
  | { readonly kind: "nothing"; readonly why: string }
  /** The history is as it was, since no summary could be written. */
  | { readonly kind: "failed"; readonly message: string }
  /** The run was stopped meanwhile; the history is as it was. */
  | { readonly kind: "ended"; readonly end: TurnEnd };

/** Why, and what a person wants to be kept. */
export interface CompactReason {
  readonly trigger: CompactTrigger;
  readonly wish?: string;
}

/**
 * Puts a summary in the place of the beginning of the history. No round of calls may be open. The summary is written by
 * the session's model, over the same way as every request. Where that fails, an overflow goes on with what can be told
 * without a model; else the history stays as it is.
 *
 * Throws only when the log cannot be written or read.
 */
export async function compactHistory(
  deps: LoopDeps,
  choice: ModelChoice,
  signal: AbortSignal,
  why: CompactReason,
): Promise<CompactOutcome> {
  const { log, platform } = deps;
  const context = contextOf(deps);
  const began = platform.clock.monotonic();
  const { planCut, keptWords, summaryMessage, summaryWithoutModel } = await loadCompaction();
  const { messages, compacted } = log.state;
  const tokensBefore = context.meter.tokens(messages, context.prefix());
  // A model that refuses takes less than it is said to.
  const size = Math.min(context.window(choice.current()) ?? tokensBefore, tokensBefore);
  const at = planCut(messages, Math.min(KEEP_MOST, size * KEEP_SHARE), compacted !== undefined);
  context.quietBelow = tokensBefore * GROWTH;
  if (at === undefined) return { kind: "nothing", why: "there is too little that could give way." };
  const before = await beforeCompaction(deps, signal, why);
  if (before.kind === "ended") return before;
  if (before.kind === "blocked") return { kind: "nothing", why: `a PreCompact hook says: ${before.why}` };
  const taken = messages.slice(0, at);
  const found = await storedHistory(deps, context);
  if (typeof found === "string") return notSummed(context, found);
  const written = await writeSummary(deps, choice, signal, { taken, size, wish: before.wish });
  if (written.kind === "ended") return written;
  if (written.kind === "none" && why.trigger !== "overflow") return notSummed(context, written.problem);
  const own = compacted === undefined ? 0 : 1;
  const said = found.slice(0, at - own).filter(({ isPersons }) => isPersons);
  const room = Math.max(WORDS_LEAST, Math.min(WORDS_MOST, size * 0.45));
  const words = keptWords(compacted?.data.words ?? [], said.map(textOf), room);
  const summary = summaryMessage({
    words,
    summary: written.kind === "none" ? summaryWithoutModel(taken) : written.text,
    taken,
    total: (compacted?.taken ?? own) - own + at,
    canRecall: context.canRecall(),
  });
  const won = tokensOf(taken) - messageTokens(summary);
  if (won <= 0) {
    if (written.kind === "written") recordSpent(deps, written.spent.model, written.spent.usage);
    return { kind: "nothing", why: "its summary would not be shorter." };
  }
  const kept = messages.slice(at);
  const tokensAfter = createContextMeter().tokens([summary, ...kept], context.prefix());
  const data: EventData<"compacted"> = {
    trigger: why.trigger,
    summary,
    kept: kept.length,
    messages: taken.length,
    through: kept.length === 0 ? log.state.lastSeq : (found[at - own] as Original).seq - 1,
    words,
    tokensBefore,
    tokensAfter,
    ...(written.kind === "none" ? { usage: NO_USAGE } : written.spent),
    durationMs: Math.round(platform.clock.monotonic() - began),
  };
  if (written.kind === "none") {
    context.notify("warning", `The history was shortened without a summary: ${written.problem}`);
  }
  log.record("compacted", data);
  context.quietBelow = tokensAfter * GROWTH;
  await log.barrier(deps.syncWrites);
  const end = await afterCompaction(deps, signal, why.trigger, summary);
  if (end !== undefined) return { kind: "ended", end };
  return { kind: "compacted", messages: taken.length, tokensBefore, tokensAfter };
}

function notSummed(context: LoopContext, problem: string): CompactOutcome {
  const message = `The history could not be summed up, and stays as it is: ${problem}`;
  context.notify("warning", message);
  return { kind: "failed", message };
}

/**
 * The messages of the history as the log holds them, without the summary that it begins with; a text where that cannot
 * be told. What was redacted is not in them.
 */
async function storedHistory(deps: LoopDeps, context: LoopContext): Promise<readonly Original[] | string> {
  const { log } = deps;
  const { compacted, sessionId } = log.state;
  await log.barrier();
  try {
    const events = await context.events(compacted?.data.through ?? 0);
    const found = originals(events.filter(({ seq }) => seq <= log.state.lastSeq));
    const own = compacted === undefined ? 0 : 1;
    if (found.length + own === log.state.messages.length) return found;
    return `the log of session ${sessionId} does not hold the history that the session has.`;
  } catch (error) {
    return `the log of session ${sessionId} could not be read: ${errorText(error)}`;
  }
}

function contextOf({ context }: LoopDeps): LoopContext {
  if (context === undefined)
    throw new CastellanError("internal", "There is nothing to sum a history up with.");
  return context;
}

function textOf({ message }: Original): string {
  return (message.parts as readonly { readonly type: string; readonly text?: string }[])
    .flatMap((part) => (part.type === "text" ? [part.text ?? ""] : []))
    .join("\n");
}

function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}
