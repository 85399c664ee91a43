import type { McpTransport } from "../protocol/index.ts";

interface End extends McpTransport {
  onmessage?: ((message: never, extra?: never) => void) | undefined;
}

/**
 * Two transports that hand their messages to each other, in order and without copying. What is sent before the
 * other side has started waits for it. Closing either closes both.
 */
export function memoryPair(): readonly [McpTransport, McpTransport] {
  const state = { closed: false };
  const waiting: [object[] | undefined, object[] | undefined] = [[], []];
  const ends: [End, End] = [makeEnd(0), makeEnd(1)];

  function makeEnd(side: 0 | 1): End {
    const other = side === 0 ? 1 : 0;
    return {
      async start() {
        const early = waiting[side] ?? [];
        waiting[side] = undefined;
        for (const message of early) deliver(side, message);
      },
      async send(message) {
        if (state.closed) throw new Error("The connection is closed.");
        const queue = waiting[other];
        if (queue === undefined) deliver(other, message);
        else queue.push(message);
      },
      async close() {
        if (state.closed) return;
        state.closed = true;
        for (const end of ends) end.onclose?.();
      },
    };
  }

  /** A fault of the receiver is the receiver's: the sender has done its part. */
  function deliver(to: 0 | 1, message: object): void {
    const end = ends[to];
    try {
      end.onmessage?.(message as never);
    } catch (error) {
      end.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  return ends;
}
