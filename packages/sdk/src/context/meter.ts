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
  return new Meter();
}

class Meter implements ContextMeter {
  #of: readonly Message[] | undefined;
  #covered = 0;
  #sum = 0;
  #isCounted = false;
  /** Those of the last head, whose tools stay the same objects. */
  #tools: RequestPrefix["tools"] | undefined;
  #headTokens = 0;

  tokens(messages: readonly Message[], prefix: RequestPrefix): number {
    if (this.#of !== messages || this.#covered > messages.length) {
      this.#of = messages;
      this.#covered = 0;
      this.#isCounted = false;
      this.#sum = this.#head(prefix);
    }
    for (; this.#covered < messages.length; this.#covered += 1) {
      this.#sum += messageTokens(messages[this.#covered] as Message);
    }
    return this.#sum;
  }

  answered(messages: readonly Message[], usage: Usage): void {
    const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
    if (input === 0) return;
    this.#of = messages;
    this.#covered = messages.length;
    this.#sum = input + usage.outputTokens;
    this.#isCounted = true;
  }

  isCounted(): boolean {
    return this.#isCounted;
  }

  #head({ system, tools }: RequestPrefix): number {
    if (this.#tools !== tools) {
      this.#tools = tools;
      this.#headTokens = textsTokens(system) + toolTokens(tools);
    }
    return this.#headTokens;
  }
}
