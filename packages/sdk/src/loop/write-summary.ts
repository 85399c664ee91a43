import { loadCompaction } from "../context/index.ts";
import type { Message } from "../protocol/index.ts";
import { askWithRetries, type ModelChoice } from "./ask-with-retries.ts";
import { overspent } from "./budget.ts";
import type { LoopDeps, TurnEnd } from "./deps.ts";
import { interrupted } from "./interrupted.ts";
import { type Priced, priced, recordSpent } from "./priced.ts";

/** How often a summary is asked for; each time of half as much. */
const TRIES = 4;
/** Characters of the history that go into the request: of each token of the window, and at most. */
const CHARS_A_TOKEN = 2;
const CHARS_MOST = 400_000;
const CHARS_LEAST = 4_000;

/** What came of asking for a summary. */
export type Written =
  | { readonly kind: "written"; readonly text: string; readonly spent: Priced }
  /** What the tries cost is recorded. */
  | { readonly kind: "none"; readonly problem: string };

/**
 * Has the model of the session sum up a part of its history: through its limiter, with its retries and its fallback.
 * Nothing of it is streamed to the reader. Every try but the last, which is paid with the summary, is recorded as spent;
 * there is no other one where that was the last of the budget. Never throws.
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
  let problem = "";
  for (let left = TRIES; left > 0; left -= 1) {
    const request = summaryRequest(parts.taken, room, parts.wish);
    const asked = await askWithRetries({ ...deps, request: () => request, emit: undefined }, choice, signal);
    const { answer, model } = asked;
    if (answer.kind === "overspent") return { kind: "ended", end: answer.end };
    if (answer.kind === "interrupted") {
      recordSpent(deps, model, answer.partial.usage);
      return { kind: "ended", end: interrupted(signal) };
    }
    if (answer.kind === "failed") {
      problem = answer.message;
      if (answer.failure.kind !== "context_overflow") break;
    } else {
      const { message, usage, stopReason } = answer.completion;
      const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
      if (text.trim() !== "" && stopReason !== "context_overflow" && stopReason !== "refusal") {
        return { kind: "written", text: text.trim(), spent: priced(deps, model, usage) };
      }
      problem = `The model ${model} gave no summary (${stopReason}).`;
      recordSpent(deps, model, usage);
      if (stopReason !== "context_overflow") break;
    }
    const over = overspent(deps.budget, deps.log.state, "another try of a summary");
    if (over !== undefined) return { kind: "ended", end: over };
    room = Math.max(CHARS_LEAST, room / 2);
  }
  return { kind: "none", problem };
}
