import type { Message, Usage } from "../protocol/index.ts";
import type { RequestPrefix } from "./build-request.ts";
import { messageTokens, textsTokens, toolTokens } from "./estimate.ts";

/** How long the next request of a session is. */
export interface ContextMeter {
  /** Tokens of the next request over this history. Only what has come since the last call is looked at. */
  tokens(messages: readonly Message[], prefix: RequestPrefix): number;
  /** What the provider counted for the answer that the history ends with now. */
  answered(messages: readonly Message[], usage: Usage): void;
  /** Whether the number rests on what a provider counted. */
  isCounted(): boolean;
}

/**
 * Counts as the provider did with its last answer, and estimates what has come since; all of it where the history is
 * another one (a resume, a compaction).
 */
export function createContextMeter(): ContextMeter {
  let of: readonly Message[] | undefined;
  let covered = 0;
  let sum = 0;
  let counted = false;
  const head = new WeakMap<RequestPrefix["tools"], number>();

  function headTokens({ system, tools }: RequestPrefix): number {
    const known = head.get(tools);
    if (known !== undefined) return known;
    const tokens = textsTokens(system) + toolTokens(tools);
    head.set(tools, tokens);
    return tokens;
  }

  return {
    tokens(messages, prefix) {
      if (of !== messages || covered > messages.length) {
        of = messages;
        covered = 0;
        counted = false;
        sum = headTokens(prefix);
      }
      for (; covered < messages.length; covered += 1) sum += messageTokens(messages[covered] as Message);
      return sum;
    },
    answered(messages, usage) {
      const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
      if (input === 0) return;
      of = messages;
      covered = messages.length;
      sum = input + usage.outputTokens;
      counted = true;
    },
    isCounted: () => counted,
  };
}
