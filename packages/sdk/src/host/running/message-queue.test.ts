import { describe, expect, it } from "vitest";
import type { SDKMessage, SDKStreamEvent } from "../../protocol/index.ts";
import { createMessageQueue, type MessageQueue } from "./message-queue.ts";

type Delta = Extract<SDKStreamEvent["event"], { type: "content_block_delta" }>["delta"];

const from = { session_id: "s", parent_tool_use_id: null } as const;

function delta(piece: Delta, index = 0, uuid = "answer"): SDKMessage {
  return { type: "stream_event", uuid, ...from, event: { type: "content_block_delta", index, delta: piece } };
}
const text = (piece: string, index?: number, uuid?: string) =>
  delta({ type: "text_delta", text: piece }, index, uuid);

function note(message: string): SDKMessage {
  return { type: "system", subtype: "notification", uuid: "n", session_id: "s", level: "info", message };
}

function progress(call: string, step: number): SDKMessage {
  return {
    ...{ type: "tool_progress", uuid: "p", ...from },
    ...{ tool_use_id: call, tool_name: "t", progress: `${step}` },
  };
}

async function drain(queue: MessageQueue): Promise<SDKMessage[]> {
  const messages: SDKMessage[] = [];
  while (queue.size() > 0) {
    const step = await queue.next();
    if (step.done !== true) messages.push(step.value);
  }
  return messages;
}

function fill(queue: MessageQueue, count: number): void {
  for (let i = 0; i < count; i += 1) queue.push(note(`${i}`));
}

function textOf(messages: readonly SDKMessage[]): string {
  const pieces = messages.map((message) => {
    if (message.type !== "stream_event" || message.event.type !== "content_block_delta") return "";
    const { delta: piece } = message.event;
    if (piece.type === "text_delta") return piece.text;
    return piece.type === "thinking_delta" ? piece.thinking : piece.partial_json;
  });
  return pieces.join("");
}

describe("the queue between a session and its reader", () => {
  it("gives messages in order, to readers that came first as well", async () => {
    const queue = createMessageQueue();
    const early = [queue.next(), queue.next()];
    for (const name of ["a", "b", "c"]) queue.push(note(name));
    const got = [...(await Promise.all(early)), await queue.next()];
    expect(got.map((step) => step.value)).toEqual([note("a"), note("b"), note("c")]);
    expect(queue.size()).toBe(0);
  });

  it("joins deltas of one block from 1,000 waiting messages on, and not before", async () => {
    const queue = createMessageQueue();
    fill(queue, 998);
    for (const piece of ["a", "b", "c", "d"]) queue.push(text(piece));
    expect(queue.size()).toBe(1_000);
    expect(textOf(await drain(queue))).toBe("abcd");

    fill(queue, 997);
    for (const piece of ["a", "b", "c"]) queue.push(text(piece));
    expect(queue.size()).toBe(1_000);
  });

  it("joins each kind of delta with its own kind only, and never over blocks or answers", async () => {
    const queue = createMessageQueue();
    fill(queue, 1_000);
    const thought = (thinking: string) => delta({ type: "thinking_delta", thinking });
    const json = (partial_json: string) => delta({ type: "input_json_delta", partial_json });
    const stop: SDKMessage = {
      ...{ type: "stream_event", uuid: "answer", ...from },
      event: { type: "content_block_stop", index: 0 },
    };
    const pushed = [
      ...[thought("1"), thought("2"), text("3"), text("4"), json("5"), json("6")],
      ...[text("7"), text("8", 1), text("9", 1, "other"), stop, text("0")],
    ];
    for (const message of pushed) queue.push(message);
    const got = (await drain(queue)).slice(1_000);
    expect(got).toEqual([
      ...[thought("12"), text("34"), json("56")],
      ...[text("7"), text("8", 1), text("9", 1, "other"), stop, text("0")],
    ]);
  });

  it("20,000 deltas that nobody reads stay in 1,000 messages, and all their text arrives", async () => {
    const queue = createMessageQueue();
    for (let i = 0; i < 20_000; i += 1) queue.push(text(`${i},`));
    expect(queue.size()).toBe(1_000);
    expect(queue.pressure()).toBeUndefined();
    const whole = Array.from({ length: 20_000 }, (_, i) => `${i},`).join("");
    expect(textOf(await drain(queue))).toBe(whole);
  });

  it("never drops a finished message, however many wait", async () => {
    const queue = createMessageQueue();
    fill(queue, 10_000);
    const got = await drain(queue);
    expect(got).toHaveLength(10_000);
    expect(got[9_999]).toEqual(note("9999"));
  });

  it("keeps only the latest progress of each call once 1,000 messages wait", async () => {
    const queue = createMessageQueue();
    fill(queue, 999);
    for (let i = 0; i < 5_000; i += 1) {
      queue.push(progress("a", i));
      queue.push(progress("b", i));
    }
    queue.push(note("end"));
    expect((await drain(queue)).slice(999)).toEqual([
      progress("a", 4_999),
      progress("b", 4_999),
      note("end"),
    ]);
  });

  it("holds the model from 4,000 messages on, until half of them are read", async () => {
    const queue = createMessageQueue();
    fill(queue, 3_999);
    expect(queue.pressure()).toBeUndefined();
    fill(queue, 1);
    let isLetGo = false;
    const held = queue.pressure()?.then(() => {
      isLetGo = true;
    });
    expect(held).toBeDefined();
    for (let i = 0; i < 2_000; i += 1) await queue.next();
    expect(queue.size()).toBe(2_000);
    expect(isLetGo).toBe(false);
    await queue.next();
    await held;
    expect(queue.pressure()).toBeUndefined();
  });

  it("lets go of the model when it ends, and when the reader leaves", async () => {
    for (const leave of ["end", "discard"] as const) {
      const queue = createMessageQueue();
      fill(queue, 4_000);
      const held = queue.pressure();
      expect(held).toBeDefined();
      queue[leave]();
      await held;
      expect(queue.size()).toBe(leave === "end" ? 4_000 : 0);
    }
  });

  it("gives what waits, and then the end, again and again", async () => {
    const queue = createMessageQueue();
    queue.push(note("a"));
    queue.end();
    queue.push(note("too late"));
    expect(await queue.next()).toEqual({ done: false, value: note("a") });
    for (let i = 0; i < 2; i += 1) expect(await queue.next()).toEqual({ done: true, value: undefined });
  });

  it("gives an error once, behind the last message", async () => {
    const queue = createMessageQueue();
    queue.push(note("a"));
    queue.end(new Error("aborted"));
    queue.end();
    expect((await queue.next()).done).toBe(false);
    await expect(queue.next()).rejects.toThrow("aborted");
    expect((await queue.next()).done).toBe(true);
  });

  it("ends readers that wait: the first with the error, the others plainly", async () => {
    const queue = createMessageQueue();
    const readers = [queue.next(), queue.next()];
    queue.end(new Error("aborted"));
    await expect(readers[0]).rejects.toThrow("aborted");
    expect(await readers[1]).toEqual({ done: true, value: undefined });
  });
});
