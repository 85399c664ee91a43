import type { IncomingMessage } from "node:http";
import type { Timer } from "./clock-port.ts";
import { httpFault } from "./http-fault.ts";
import type { HttpBody, HttpRequest } from "./http-port.ts";

/** Bytes that may wait unread before the connection is paused. */
const HIGH_WATER = 1 << 20;
const DRAIN_MS = 1_000;

type Step = IteratorResult<Uint8Array, undefined>;

/**
 * The body of one answer. Pieces come out as they went in; all that arrived while the reader was away
 * comes out as one. Listens to the signal until the body has ended.
 */
export function createHttpBody(
  answer: IncomingMessage,
  { signal, clock, idleTimeoutMs }: Pick<HttpRequest, "signal" | "clock" | "idleTimeoutMs">,
): HttpBody {
  let waiting: { resolve(step: Step): void; reject(error: Error): void } | undefined;
  let pieces: Uint8Array[] = [];
  let size = 0;
  let ended = false;
  let left = false;
  let failure: Error | undefined;
  let quietSince = clock.monotonic();
  let idle: Timer | undefined;

  const onAbort = (): void => {
    pieces = [];
    fail(httpFault("ABORTED", "the request was aborted"));
  };

  function settle(): void {
    idle?.cancel();
    idle = undefined;
    signal.removeEventListener("abort", onAbort);
  }

  function fail(error: Error): void {
    if (ended || failure !== undefined) return;
    failure = error;
    settle();
    answer.destroy();
    waiting?.reject(error);
    waiting = undefined;
  }

  function take(): Uint8Array {
    const all = pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
    pieces = [];
    size = 0;
    if (answer.isPaused()) answer.resume();
    return all;
  }

  /** One timer a body: it looks how long it has been quiet, and waits for the rest. */
  function watch(ms: number, wait: number): void {
    idle = clock.timer(wait, () => {
      idle = undefined;
      if (waiting === undefined) return;
      const rest = ms - (clock.monotonic() - quietSince);
      if (rest > 0) watch(ms, rest);
      else fail(httpFault("IDLE_TIMEOUT", `no byte for ${ms} ms`));
    });
  }

  answer.on("data", (chunk: Uint8Array) => {
    if (failure !== undefined || left) return;
    quietSince = clock.monotonic();
    if (waiting !== undefined) {
      const { resolve } = waiting;
      waiting = undefined;
      resolve({ done: false, value: chunk });
      return;
    }
    pieces.push(chunk);
    size += chunk.byteLength;
    if (size > HIGH_WATER) answer.pause();
  });
  answer.on("end", () => {
    ended = true;
    settle();
    waiting?.resolve({ done: true, value: undefined });
    waiting = undefined;
  });
  answer.on("error", fail);
  answer.on("close", () => {
    if (!ended && !left) fail(httpFault("BODY_CUT", "the connection closed in the middle of the answer"));
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });

  function next(): Promise<Step> {
    if (left) return Promise.reject(httpFault("BODY_CUT", "the answer was left"));
    // What arrived before a break may be the end of the answer, or say why it broke.
    if (pieces.length > 0) return Promise.resolve({ done: false, value: take() });
    if (failure !== undefined) return Promise.reject(failure);
    if (ended) return Promise.resolve({ done: true, value: undefined });
    quietSince = clock.monotonic();
    if (idleTimeoutMs !== undefined && idle === undefined) watch(idleTimeoutMs, idleTimeoutMs);
    return new Promise((resolve, reject) => {
      waiting = { resolve, reject };
    });
  }

  function leave(): void {
    settle();
    if (!ended) answer.destroy();
    ended = true;
    pieces = [];
  }

  return {
    [Symbol.asyncIterator]: () => ({
      next,
      return() {
        leave();
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
    drain() {
      settle();
      if (ended || left || failure !== undefined) return;
      pieces = [];
      left = true;
      const limit = clock.timer(DRAIN_MS, () => answer.destroy(), true);
      answer.once("close", () => limit.cancel());
      answer.resume();
    },
  };
}
