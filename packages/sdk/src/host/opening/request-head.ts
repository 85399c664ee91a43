import type { RequestPrefix } from "../../context/index.ts";
import type { Thinking } from "../../model/index.ts";

/** What every request of a run begins with. Only a person changes it, and only what stands beside the text. */
export interface RequestHead {
  current(): RequestPrefix;
  /** From the next request on; undefined goes back to what the run began with. */
  setThinking(thinking: Thinking | undefined): void;
}

/** Holds the head of a run's requests. System prompt and tools stay the same objects, so their caches stay good. */
export function requestHead(first: RequestPrefix): RequestHead {
  let prefix = first;
  return {
    current: () => prefix,
    setThinking(thinking) {
      prefix = thinking === undefined ? first : { ...first, settings: { ...first.settings, thinking } };
    },
  };
}
