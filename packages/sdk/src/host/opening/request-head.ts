import type { RequestPrefix } from "../../context/index.ts";
import type { Thinking } from "../../model/index.ts";

/** What every request of a run begins with. Only a person changes it, and only what stands beside the text. */
export interface RequestHead {
  current(): RequestPrefix;
  /** From the next request on; undefined goes back to what the run began with. */
  setThinking(thinking: Thinking | undefined): void;
}

/**
 * Holds the head of a run's requests. System prompt and tools stay the same objects, so their caches stay good: but for
 * the first compaction, with which the tool to look back comes in, and of which no cache survives anyway.
 *
 * @param later what holds from the first compaction on.
 */
export function requestHead(
  first: RequestPrefix,
  later: RequestPrefix = first,
  isCompacted: () => boolean = () => false,
): RequestHead {
  let thinking: Thinking | undefined;
  let made: { readonly base: RequestPrefix; readonly prefix: RequestPrefix } = { base: first, prefix: first };
  const make = (base: RequestPrefix): void => {
    const prefix = thinking === undefined ? base : { ...base, settings: { ...base.settings, thinking } };
    made = { base, prefix };
  };
  return {
    current() {
      const base = isCompacted() ? later : first;
      if (made.base !== base) make(base);
      return made.prefix;
    },
    setThinking(next) {
      thinking = next;
      make(made.base);
    },
  };
}
