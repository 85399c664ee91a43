import {
  inputText,
  type LoopbackTurn,
  type RecordedRequest,
  slices,
  textDeltas,
  usageOf,
} from "../script.ts";
import { event } from "../typed-event.ts";
import { hide, seal } from "./seal.ts";

/** The events of one message, as the documentation of streaming lists them. */
export function anthropicAnswer(turn: LoopbackTurn, request: RecordedRequest): readonly string[] {
  const model = String(request.body.model);
  const usage = usageOf(turn, request);
  const events: string[] = [];
  let index = 0;
  const block = (content_block: object, deltas: readonly object[]): void => {
    events.push(event({ type: "content_block_start", index, content_block }));
    if (index === 0) events.push(event({ type: "ping" }));
    for (const delta of deltas) events.push(event({ type: "content_block_delta", index, delta }));
    events.push(event({ type: "content_block_stop", index }));
    index += 1;
  };
  events.push(
    event({
      type: "message_start",
      message: {
        id: `msg_${request.index}`,
        type: "message",
        role: "assistant",
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: usage.input,
          cache_creation_input_tokens: usage.cacheWrite,
          cache_read_input_tokens: usage.cacheRead,
          output_tokens: 1,
          service_tier: "standard",
        },
      },
    }),
  );
  if (turn.thinking !== undefined) {
    block({ type: "thinking", thinking: "", signature: "" }, [
      ...textDeltas(turn.thinking).map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature: seal(model, turn.thinking) },
    ]);
  }
  if (turn.hidden !== undefined) block({ type: "redacted_thinking", data: hide(model, turn.hidden) }, []);
  if (turn.text !== undefined) {
    block(
      { type: "text", text: "" },
      textDeltas(turn.text).map((text) => ({ type: "text_delta", text })),
    );
  }
  for (const [at, call] of (turn.toolCalls ?? []).entries()) {
    const id = call.id ?? `toolu_${String(request.index).padStart(4, "0")}${at}`;
    block({ type: "tool_use", id, name: call.name, input: {} }, [
      { type: "input_json_delta", partial_json: "" },
      ...slices(inputText(call)).map((partial_json) => ({ type: "input_json_delta", partial_json })),
    ]);
  }
  const asked = (turn.toolCalls?.length ?? 0) > 0;
  const stop_reason = turn.stopReason ?? (asked ? "tool_use" : "end_turn");
  events.push(
    event({
      type: "message_delta",
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: usage.output },
    }),
    event({ type: "message_stop" }),
  );
  return events;
}
