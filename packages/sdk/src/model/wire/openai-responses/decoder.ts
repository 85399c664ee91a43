import type { StopReason, Usage } from "../../../protocol/index.ts";
import type { ModelPart } from "../../port.ts";
import type { Endpoint } from "../shared/endpoint.ts";
import { problemOf, streamFailure } from "../shared/failures.ts";
import { ask, count, text } from "../shared/json.ts";
import { cutOff, parseTypedEvent, type StreamDecoder } from "../shared/stream-decoder.ts";

interface OpenCall {
  readonly id: string;
  hasDeltas: boolean;
}

/** Reads the events of one answer of the Responses API. Events that are not known are passed over. */
export function createResponsesDecoder(endpoint: Endpoint, newId: () => string): StreamDecoder {
  const calls = new Map<unknown, OpenCall>();
  let hasCalls = false;
  let hasText = false;
  let refused = false;
  /** The kind of the last item that may take deltas, and whether this item has had any. */
  let block: "text" | "reasoning" | undefined;
  let begun = false;
  let newParagraph = false;

  function say(kind: "text" | "reasoning", delta: string, out: ModelPart[]): void {
    if (delta === "") return;
    begin(kind, out);
    if (newParagraph && kind === "reasoning") out.push({ type: kind, delta: "\n\n" });
    newParagraph = false;
    if (kind === "text") hasText = true;
    out.push({ type: kind, delta });
  }

  /** Each item is a block of its own, begun by its first delta. */
  function begin(kind: "text" | "reasoning", out: ModelPart[]): void {
    if (begun && block === kind) return;
    out.push({ type: "block", kind });
    block = kind;
    begun = true;
  }

  function added(event: unknown, out: ModelPart[]): void {
    begun = false;
    newParagraph = false;
    const item = ask(event, "item");
    if (ask(item, "type") !== "function_call") return;
    const id = text(ask(item, "call_id")) ?? newId();
    calls.set(ask(event, "output_index"), { id, hasDeltas: false });
    hasCalls = true;
    out.push({ type: "toolStart", id, name: text(ask(item, "name")) ?? "" });
  }

  function done(event: unknown, out: ModelPart[]): void {
    const item = ask(event, "item");
    if (ask(item, "type") === "reasoning") {
      const id = text(ask(item, "id"));
      const encrypted = text(ask(item, "encrypted_content"));
      if (id === undefined || encrypted === undefined) return;
      begin("reasoning", out);
      out.push({ type: "meta", meta: { [endpoint.provider]: { id, encrypted, model: endpoint.model } } });
      return;
    }
    if (ask(item, "type") !== "function_call") return;
    const place = ask(event, "output_index");
    if (!calls.has(place)) added(event, out);
    const call = calls.get(place);
    calls.delete(place);
    if (call === undefined) return;
    const whole = text(ask(item, "arguments"));
    const input = call.hasDeltas || whole === undefined ? {} : { inputText: whole };
    out.push({ type: "toolEnd", id: call.id, ...input });
  }

  function finish(response: unknown, out: ModelPart[]): void {
    tellUsage(ask(response, "usage"), out);
    const rawReason =
      text(ask(ask(response, "incomplete_details"), "reason")) ?? text(ask(response, "status"));
    const named = rawReason === undefined ? {} : { rawReason };
    out.push({ type: "finish", stopReason: reasonOf(rawReason), ...named });
  }

  function reasonOf(raw: string | undefined): StopReason {
    if (raw === "max_output_tokens") return "max_tokens";
    if (raw === "content_filter" || (refused && !hasText)) return "refusal";
    if (raw !== "completed") return "other";
    return hasCalls ? "tool_use" : "end_turn";
  }

  return {
    event(data, out) {
      if (data === "[DONE]") return false;
      const event = parseTypedEvent(data, endpoint);
      const delta = typeof event.delta === "string" ? event.delta : "";
      switch (event.type) {
        case "response.output_text.delta":
          say("text", delta, out);
          return false;
        case "response.function_call_arguments.delta": {
          const call = calls.get(event.output_index);
          if (call === undefined || delta === "") return false;
          call.hasDeltas = true;
          out.push({ type: "toolDelta", id: call.id, delta });
          return false;
        }
        case "response.reasoning_summary_text.delta":
        case "response.reasoning_text.delta":
          say("reasoning", delta, out);
          return false;
        case "response.reasoning_summary_part.added":
          newParagraph = begun;
          return false;
        case "response.refusal.delta":
          refused = true;
          if (delta !== "") {
            begin("text", out);
            out.push({ type: "text", delta });
          }
          return false;
        case "response.output_item.added":
          added(event, out);
          return false;
        case "response.output_item.done":
          done(event, out);
          return false;
        case "response.completed":
        case "response.incomplete":
          finish(event.response, out);
          return true;
        case "response.failed":
          throw streamFailure(endpoint, problemOf(event.response));
        default:
          return false;
      }
    },
    end() {
      throw cutOff(endpoint);
    },
  };
}

/** `input_tokens` counts what was read from the cache too. */
function tellUsage(usage: unknown, out: ModelPart[]): void {
  const input = count(ask(usage, "input_tokens"));
  if (input === undefined) return;
  const read = count(ask(ask(usage, "input_tokens_details"), "cached_tokens")) ?? 0;
  const told: Usage = {
    inputTokens: Math.max(0, input - read),
    outputTokens: count(ask(usage, "output_tokens")) ?? 0,
    cacheReadTokens: read,
    cacheWriteTokens: 0,
  };
  out.push({ type: "usage", usage: told });
}
