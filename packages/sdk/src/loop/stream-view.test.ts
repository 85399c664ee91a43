import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAccumulator, type ModelPart } from "../model/index.ts";
import type { SDKStreamEvent } from "../protocol/index.ts";
import { createStreamView } from "./stream-view.ts";

const RUNS = Number(process.env.CASTELLAN_RUNS ?? 200);
const IDS = { uuid: "u", sessionId: "s", messageId: "m", model: "x" };

function view(parts: readonly ModelPart[]): SDKStreamEvent["event"][] {
  const events: SDKStreamEvent["event"][] = [];
  const streamView = createStreamView(IDS, (message) => {
    expect(message).toMatchObject({
      type: "stream_event",
      uuid: "u",
      session_id: "s",
      parent_tool_use_id: null,
    });
    events.push(message.event);
  });
  for (const part of parts) streamView.part(part);
  streamView.end();
  return events;
}

/** The blocks that a reader builds of the events, who believes nothing: a wrong order throws. */
function rebuild(events: readonly SDKStreamEvent["event"][]) {
  const blocks: { kind: string; text: string; open: boolean }[] = [];
  const blockAt = (index: number) => {
    const block = blocks[index];
    if (block?.open !== true) throw new Error(`Block ${index} is not open.`);
    return block;
  };
  expect(events[0]).toEqual({ type: "message_start", message: { id: "m", model: "x" } });
  expect(events.at(-1)).toEqual({ type: "message_stop" });
  for (const event of events.slice(1, -1)) {
    if (event.type === "content_block_start") {
      expect(event.index).toBe(blocks.length);
      const isText = event.content_block.type !== "tool_use";
      if (isText) expect(blocks.filter((block) => block.open && block.kind !== "tool_use")).toEqual([]);
      blocks.push({ kind: event.content_block.type, text: "", open: true });
    } else if (event.type === "content_block_delta") {
      const { delta } = event;
      const block = blockAt(event.index);
      const [kind, text] =
        delta.type === "text_delta"
          ? ["text", delta.text]
          : delta.type === "thinking_delta"
            ? ["thinking", delta.thinking]
            : ["tool_use", delta.partial_json];
      expect(block.kind).toBe(kind);
      block.text += text;
    } else if (event.type === "content_block_stop") blockAt(event.index).open = false;
    else throw new Error(`${event.type} in the middle`);
  }
  expect(blocks.filter((block) => block.open)).toEqual([]);
  return blocks;
}

/** The same of the finished message. */
function finished(parts: readonly ModelPart[]) {
  const accumulator = createAccumulator("m");
  for (const part of parts) accumulator.push(part);
  accumulator.push({ type: "finish", stopReason: "end_turn" });
  const end = accumulator.finish();
  if (!end.ok) throw new Error(end.message);
  return end.completion.message.parts.map((part) =>
    part.type === "toolCall"
      ? { kind: "tool_use", text: part.invalidInput ?? JSON.stringify(part.input) }
      : { kind: part.type === "text" ? "text" : "thinking", text: part.text },
  );
}

const textual: fc.Arbitrary<ModelPart> = fc.oneof(
  fc.string({ maxLength: 3 }).map((delta): ModelPart => ({ type: "text", delta })),
  fc.string({ maxLength: 3 }).map((delta): ModelPart => ({ type: "reasoning", delta })),
  fc.constantFrom("text" as const, "reasoning" as const).map((kind): ModelPart => ({ type: "block", kind })),
  fc.constant<ModelPart>({ type: "meta", meta: { test: 1 } }),
  fc.constant<ModelPart>({ type: "usage", usage: { outputTokens: 1 } }),
);

/** Tool calls whose parts are spread over the rest, also one inside another. */
const answer = fc
  .record({
    texts: fc.array(textual, { maxLength: 20 }),
    calls: fc.array(
      fc.record({
        input: fc.json(),
        cuts: fc.array(fc.nat({ max: 40 }), { maxLength: 4 }),
        whole: fc.boolean(),
        places: fc.array(fc.nat({ max: 30 }), { minLength: 8, maxLength: 8 }),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ texts, calls }) => {
    const parts: ModelPart[] = [...texts];
    for (const [at, { input, cuts, whole, places }] of calls.entries()) {
      const id = `c${at}`;
      const ends = [0, ...cuts.map((cut) => Math.min(cut, input.length)).sort((a, b) => a - b), input.length];
      const deltas = ends.slice(1).map((end, i): ModelPart => {
        return { type: "toolDelta", id, delta: input.slice(ends[i], end) };
      });
      const own: ModelPart[] = whole
        ? [
            { type: "toolStart", id, name: "t" },
            { type: "toolEnd", id, inputText: input },
          ]
        : [{ type: "toolStart", id, name: "t" }, ...deltas, { type: "toolEnd", id }];
      let from = 0;
      for (const [i, part] of own.entries()) {
        from = Math.min(parts.length, from + ((places[i] ?? 0) % (parts.length - from + 1)));
        parts.splice(from, 0, part);
        from += 1;
      }
    }
    return parts;
  });

describe("the stream of one answer", () => {
  it("joined deltas are the finished message, block by block, whatever the model streams", () => {
    fc.assert(
      fc.property(answer, (parts) => {
        const blocks = rebuild(view(parts)).map(({ kind, text }) => ({ kind, text }));
        const wanted = finished(parts);
        const read = blocks.map((block, at) =>
          // The finished message holds the value, the stream its spelling.
          wanted[at]?.kind === "tool_use"
            ? { ...block, text: sameInput(block.text, wanted[at].text) }
            : block,
        );
        expect(read).toEqual(wanted);
      }),
      { numRuns: RUNS },
    );
  });

  it("a whole input behind its own deltas is not told twice", () => {
    const parts: ModelPart[] = [
      { type: "toolStart", id: "c", name: "t" },
      { type: "toolDelta", id: "c", delta: '{"a":1}' },
      { type: "toolEnd", id: "c", inputText: '{"a":1}' },
      { type: "toolDelta", id: "c", delta: "too late" },
      { type: "toolEnd", id: "c" },
      { type: "toolStart", id: "c", name: "again" },
    ];
    expect(rebuild(view(parts))).toEqual([{ kind: "tool_use", text: '{"a":1}', open: false }]);
  });

  it("closes what a broken stream left open", () => {
    const open: ModelPart[] = [
      { type: "toolStart", id: "a", name: "t" },
      { type: "text", delta: "x" },
    ];
    expect(rebuild(view(open)).map((block) => block.kind)).toEqual(["tool_use", "text"]);
    expect(view([])).toEqual([
      { type: "message_start", message: { id: "m", model: "x" } },
      { type: "message_stop" },
    ]);
  });
});

function sameInput(streamed: string, finishedText: string): string {
  try {
    const value: unknown = JSON.parse(streamed);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? JSON.stringify(value)
      : streamed;
  } catch {
    return streamed.trim() === "" ? finishedText : streamed;
  }
}
