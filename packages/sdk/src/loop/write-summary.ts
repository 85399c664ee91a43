import { loadCompaction } from "../context/index.ts";
import { type Message, NO_USAGE, type Usage } from "../protocol/index.ts";
import { addUsage } from "../sessions/index.ts";
import { askWithRetries, type ModelChoice } from "./ask-with-retries.ts";
import type { LoopDeps, TurnEnd } from "./deps.ts";
import { interrupted } from "./interrupted.ts";
import { type Priced, priced } from "./priced.ts";

/** How often a summary is asked for; each time of half as much. */
const TRIES = 4;
/** Characters of the history that go into the request: of each token of the window, and at most. */
const CHARS_A_TOKEN = 2;
const CHARS_MOST = 400_000;
const CHARS_LEAST = 4_000;

/** What came of asking for a summary, and what all tries used. */
export interface Written {
  readonly kind: "written";
  /** Absent where there is none; `problem` says why. */
  readonly text?: string;
  readonly problem: string;
  readonly spent: Priced;
}

/**
 * Has the model of the session sum up a part of its history: through its limiter, with its retries and its fallback.
 * Nothing of it is streamed to the reader. Never throws.
 */
export async function writeSummary(
  deps: LoopDeps,
  choice: ModelChoice,
  signal: AbortSignal,
  parts: {
    readonly taken: readonly Message[];
    /** Tokens that the model takes, or that the history has. */
    readonly size: number;
    readonly wish: string | undefined;
  },
): Promise<Written | { readonly kind: "ended"; readonly end: TurnEnd }> {
  const { summaryRequest } = await loadCompaction();
  let room = Math.max(CHARS_LEAST, Math.min(CHARS_MOST, parts.size * CHARS_A_TOKEN));
  let usage: Usage = NO_USAGE;
  let model = choice.current().id;
  let problem = "";
  for (let left = TRIES; left > 0; left -= 1) {
    const request = summaryRequest(parts.taken, room, parts.wish);
    const asked = await askWithRetries({ ...deps, request: () => request, emit: undefined }, choice, signal);
    const { answer } = asked;
    model = asked.model;
    if (answer.kind === "interrupted") {
      const spent = priced(deps, model, addUsage(usage, answer.partial.usage));
      recordSpent(deps, { kind: "written", problem: "", spent });
      return { kind: "ended", end: interrupted(signal) };
    }
    if (answer.kind === "failed") {
      problem = answer.message;
      if (answer.failure.kind !== "context_overflow") break;
    } else {
      const { message, stopReason } = answer.completion;
      usage = addUsage(usage, answer.completion.usage);
      const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
      if (text.trim() !== "" && stopReason !== "context_overflow" && stopReason !== "refusal") {
        return { kind: "written", text: text.trim(), problem: "", spent: priced(deps, model, usage) };
      }
      problem = `The model ${model} gave no summary (${stopReason}).`;
      if (stopReason !== "context_overflow") break;
    }
    room = Math.max(CHARS_LEAST, room / 2);
  }
  return { kind: "written", problem, spent: priced(deps, model, usage) };
}

/** Counts what was spent on a summary that is not used: an answer without a word. */
export function recordSpent(deps: LoopDeps, { spent }: Written): void {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = spent.usage;
  if (inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens === 0) return;
  const message = { role: "assistant", id: deps.platform.ids.short("msg"), parts: [] } as const;
  deps.log.record("model.completed", {
    ...spent,
    message,
    stopReason: "other",
    durationMs: 0,
    interrupted: true,
  });
}
