import type { SDKMessage, SDKStreamEvent, SDKToolProgress } from "../../protocol/index.ts";

/** From this many waiting messages on, deltas of one block are joined, and a newer progress of a call replaces the older. */
const JOIN_FROM = 1_000;
/** From this many on, the model's stream is held until the reader has caught up. */
const HOLD_FROM = 4_000;
/** How far back a progress to replace is looked for: as many calls as may run at once. */
const LOOK_BACK = 100;

/**
 * What stands between a session, which runs ahead, and its reader. Finished messages are never
 * dropped; memory stays bounded because deltas join and the model is held.
 */
export interface MessageQueue {
  push(message: SDKMessage): void;
  /** Undefined when the reader keeps up; else a promise that resolves once it does. */
  pressure(): Promise<void> | undefined;
  /** No more messages; with an error, the reader gets it behind the last message. */
  end(error?: unknown): void;
  /** Forgets what waits: the reader has gone. */
  discard(): void;
  next(): Promise<IteratorResult<SDKMessage, void>>;
  size(): number;
}

export function createMessageQueue(): MessageQueue {
  let items: SDKMessage[] = [];
  let head = 0;
  let ended = false;
  let error: unknown;
  let readers: {
    resolve(result: IteratorResult<SDKMessage, void>): void;
    reject(reason: unknown): void;
  }[] = [];
  let release: (() => void) | undefined;
  let held: Promise<void> | undefined;

  const size = (): number => items.length - head;

  function take(): SDKMessage | undefined {
    const message = items[head];
    if (message === undefined) return undefined;
    head += 1;
    // Moving the array down now and then keeps a take O(1) without holding what was read.
    if (head === items.length || (head > 1_024 && head * 2 > items.length)) {
      items = items.slice(head);
      head = 0;
    }
    if (release !== undefined && size() < HOLD_FROM / 2) letGo();
    return message;
  }

  function joinLast(message: SDKMessage): boolean {
    if (message.type !== "stream_event") return false;
    const joined = joinDeltas(items[items.length - 1], message);
    if (joined === undefined) return false;
    items[items.length - 1] = joined;
    return true;
  }

  function replaceProgress(message: SDKMessage): boolean {
    if (message.type !== "tool_progress") return false;
    const end = Math.max(head, items.length - LOOK_BACK);
    for (let at = items.length - 1; at >= end; at -= 1) {
      const other = items[at];
      if (!isProgressOf(other, message)) continue;
      items[at] = message;
      return true;
    }
    return false;
  }

  function letGo(): void {
    release?.();
    release = undefined;
    held = undefined;
  }

  return {
    size,
    push(message) {
      if (ended) return;
      const reader = readers.shift();
      if (reader !== undefined) {
        reader.resolve({ done: false, value: message });
        return;
      }
      if (size() < JOIN_FROM || !(joinLast(message) || replaceProgress(message))) items.push(message);
    },
    pressure() {
      if (size() < HOLD_FROM || ended) return undefined;
      held ??= new Promise((resolve) => {
        release = resolve;
      });
      return held;
    },
    end(reason) {
      if (ended) return;
      ended = true;
      error = reason;
      letGo();
      const waiting = readers;
      readers = [];
      for (const [index, reader] of waiting.entries()) {
        if (index === 0 && error !== undefined) {
          reader.reject(error);
          error = undefined;
        } else reader.resolve({ done: true, value: undefined });
      }
    },
    discard() {
      items = [];
      head = 0;
      letGo();
    },
    next() {
      const message = take();
      if (message !== undefined) return Promise.resolve({ done: false, value: message });
      if (ended) {
        if (error === undefined) return Promise.resolve({ done: true, value: undefined });
        const reason = error;
        error = undefined;
        return Promise.reject(reason);
      }
      return new Promise((resolve, reject) => {
        readers.push({ resolve, reject });
      });
    },
  };
}

function isProgressOf(message: SDKMessage | undefined, next: SDKToolProgress): boolean {
  return message?.type === "tool_progress" && message.tool_use_id === next.tool_use_id;
}

/** Two neighbouring deltas of one block as one, or undefined when they are not. */
function joinDeltas(last: SDKMessage | undefined, next: SDKStreamEvent): SDKStreamEvent | undefined {
  if (last?.type !== "stream_event" || last.uuid !== next.uuid) return undefined;
  const a = last.event;
  const b = next.event;
  if (a.type !== "content_block_delta" || b.type !== "content_block_delta" || a.index !== b.index)
    return undefined;
  const join = (delta: typeof a.delta): SDKStreamEvent => ({ ...next, event: { ...b, delta } });
  if (a.delta.type === "text_delta" && b.delta.type === "text_delta") {
    return join({ type: "text_delta", text: a.delta.text + b.delta.text });
  }
  if (a.delta.type === "thinking_delta" && b.delta.type === "thinking_delta") {
    return join({ type: "thinking_delta", thinking: a.delta.thinking + b.delta.thinking });
  }
  if (a.delta.type === "input_json_delta" && b.delta.type === "input_json_delta") {
    return join({ type: "input_json_delta", partial_json: a.delta.partial_json + b.delta.partial_json });
  }
  return undefined;
}
