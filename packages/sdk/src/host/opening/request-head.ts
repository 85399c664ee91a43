import type { RequestPrefix } from "../../context/index.ts";
import type { Thinking } from "../../model/index.ts";
import type { SessionLog } from "../../sessions/index.ts";

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
 * @param later what holds from the first compaction on. Undefined: the same.
 * @param log where it stands whether there was one.
 */
export function requestHead(
  first: RequestPrefix,
  later: RequestPrefix | undefined,
  log: Pick<SessionLog, "state">,
): RequestHead {
  return new RunHead(first, later, log);
}

class RunHead implements RequestHead {
  readonly #log: Pick<SessionLog, "state">;
  #later: RequestPrefix | undefined;
  #base: RequestPrefix;
  #prefix: RequestPrefix;
  #thinking: Thinking | undefined;

  constructor(first: RequestPrefix, later: RequestPrefix | undefined, log: Pick<SessionLog, "state">) {
    this.#base = first;
    this.#prefix = first;
    this.#later = later;
    this.#log = log;
  }

  current(): RequestPrefix {
    if (this.#later !== undefined && this.#log.state.compacted !== undefined) {
      this.#base = this.#later;
      this.#later = undefined;
      this.#make();
    }
    return this.#prefix;
  }

  setThinking(next: Thinking | undefined): void {
    this.#thinking = next;
    this.#make();
  }

  #make(): void {
    const base = this.#base;
    const thinking = this.#thinking;
    this.#prefix = thinking === undefined ? base : { ...base, settings: { ...base.settings, thinking } };
  }
}
