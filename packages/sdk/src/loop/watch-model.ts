import type { Clock, Timer } from "../platform/index.ts";

/** Milliseconds of silence after which a try counts as lost, where the model does not say. */
export const STALL_MS = 60_000;

/** Watches one try of a model for the moment from which on nothing more is expected of it. */
export interface ModelWatch {
  /** For the model: fires with the caller's signal, and when it has been silent for too long. */
  readonly signal: AbortSignal;
  /** Resolves when the signal fires, for whichever reason. */
  readonly gone: Promise<undefined>;
  /** It was silent for too long. */
  readonly stalled: boolean;
  /** From now on the model is waited for. */
  waits(): void;
  /** The reader is waited for, not the model. */
  rests(): void;
  end(): void;
}

/** @param ms `Infinity`: the model sees to its silence itself, and nothing is added. */
export function watchModel(outer: AbortSignal, clock: Clock, ms: number): ModelWatch {
  const own = ms === Number.POSITIVE_INFINITY ? undefined : new AbortController();
  let since: number | undefined;
  let timer: Timer | undefined;
  let stalled = false;
  let leave = (): void => {};
  const gone = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined);
  });
  const onAbort = (): void => {
    own?.abort(outer.reason);
    leave();
  };
  // One timer a try: when it fires it looks how long it has been silent, and waits for the rest.
  function look(): void {
    const silent = since === undefined ? 0 : clock.monotonic() - since;
    if (silent < ms) {
      timer = clock.timer(ms - silent, look);
      return;
    }
    stalled = true;
    own?.abort();
    leave();
  }
  if (outer.aborted) onAbort();
  else outer.addEventListener("abort", onAbort, { once: true });

  return {
    signal: own?.signal ?? outer,
    gone,
    get stalled() {
      return stalled;
    },
    waits() {
      if (own === undefined) return;
      since = clock.monotonic();
      timer ??= clock.timer(ms, look);
    },
    rests() {
      since = undefined;
    },
    end() {
      timer?.cancel();
      outer.removeEventListener("abort", onAbort);
    },
  };
}
