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
  return new SessionQueue();
}

interface Reader {
  resolve(result: IteratorResult<SDKMessage, void>): void;
  reject(reason: unknown): void;
}

class SessionQueue implements MessageQueue {
  #items: SDKMessage[] = [];
  #head = 0;
  #ended = false;
  #error: unknown;
  #readers: readonly Reader[] = NO_READERS;
  #release: (() => void) | undefined;
  #held: Promise<void> | undefined;

  size(): number {
    return this.#items.length - this.#head;
  }

  push(message: SDKMessage): void {
    if (this.#ended) return;
    const reader = this.#readers[0];
    if (reader !== undefined) {
      this.#readers = this.#readers.slice(1);
      reader.resolve({ done: false, value: message });
      return;
    }
    if (this.size() < JOIN_FROM || !(this.#joinLast(message) || this.#replaceProgress(message))) {
      this.#items.push(message);
    }
  }

  pressure(): Promise<void> | undefined {
    if (this.size() < HOLD_FROM || this.#ended) return undefined;
    this.#held ??= new Promise((resolve) => {
      this.#release = resolve;
    });
    return this.#held;
  }

  end(reason?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = reason;
    this.#letGo();
    const waiting = this.#readers;
    this.#readers = NO_READERS;
    for (const [index, reader] of waiting.entries()) {
      if (index === 0 && this.#error !== undefined) {
        reader.reject(this.#error);
        this.#error = undefined;
      } else reader.resolve({ done: true, value: undefined });
    }
  }

  discard(): void {
    this.#items = [];
    this.#head = 0;
    this.#letGo();
  }

  next(): Promise<IteratorResult<SDKMessage, void>> {
    const message = this.#take();
    if (message !== undefined) return Promise.resolve({ done: false, value: message });
    if (this.#ended) {
      if (this.#error === undefined) return Promise.resolve({ done: true, value: undefined });
      const reason = this.#error;
      this.#error = undefined;
      return Promise.reject(reason);
    }
    return new Promise((resolve, reject) => {
      this.#readers = this.#readers.concat({ resolve, reject });
    });
  }

  #take(): SDKMessage | undefined {
    const message = this.#items[this.#head];
    if (message === undefined) return undefined;
    this.#head += 1;
    // Moving the array down now and then keeps a take O(1) without holding what was read.
    if (this.#head === this.#items.length || (this.#head > 1_024 && this.#head * 2 > this.#items.length)) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    if (this.#release !== undefined && this.size() < HOLD_FROM / 2) this.#letGo();
    return message;
  }

  #joinLast(message: SDKMessage): boolean {
    if (message.type !== "stream_event") return false;
    const items = this.#items;
    const joined = joinDeltas(items[items.length - 1], message);
    if (joined === undefined) return false;
    items[items.length - 1] = joined;
    return true;
  }

  #replaceProgress(message: SDKMessage): boolean {
    if (message.type !== "tool_progress") return false;
    const items = this.#items;
    const end = Math.max(this.#head, items.length - LOOK_BACK);
    for (let at = items.length - 1; at >= end; at -= 1) {
      const other = items[at];
      if (!isProgressOf(other, message)) continue;
      items[at] = message;
      return true;
    }
    return false;
  }

  #letGo(): void {
    this.#release?.();
    this.#release = undefined;
    this.#held = undefined;
  }
}

const NO_READERS: readonly Reader[] = [];

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
