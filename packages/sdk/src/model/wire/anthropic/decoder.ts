import type { ProviderMeta, StopReason, Usage } from "../../../protocol/index.ts";
import type { ModelPart } from "../../port.ts";
import type { Endpoint } from "../shared/endpoint.ts";
import { ask, count, text } from "../shared/json.ts";
import { cutOff, parseTypedEvent, type StreamDecoder } from "../shared/stream-decoder.ts";

const STOP_REASONS: ReadonlyMap<string, StopReason> = new Map([
  ["end_turn", "end_turn"],
  ["stop_sequence", "end_turn"],
  ["tool_use", "tool_use"],
  ["max_tokens", "max_tokens"],
  ["refusal", "refusal"],
  ["model_context_window_exceeded", "context_overflow"],
]);

/** A block while its deltas come in. Blocks of a kind that is not known are `other`: nothing of them is told. */
interface OpenBlock {
  readonly kind: "text" | "reasoning" | "tool" | "other";
  /** The accumulator has been told of it. */
  begun: boolean;
  readonly id: string;
  /** Input that stood whole in the start of the block. */
  readonly input: string | undefined;
  hasDeltas: boolean;
  signature: string;
  readonly redacted: string | undefined;
}

/** Reads the events of one answer of the Messages API. Events and deltas that are not known are passed over. */
export function createAnthropicDecoder(endpoint: Endpoint, newId: () => string): StreamDecoder {
  const blocks = new Map<unknown, OpenBlock>();
  let previous: OpenBlock["kind"] | undefined;
  let rawReason: string | undefined;

  function start(event: unknown, out: ModelPart[]): void {
    const content = ask(event, "content_block");
    const type = ask(content, "type");
    const input = ask(content, "input");
    const block: OpenBlock = {
      kind: kindOf(type),
      begun: false,
      id: text(ask(content, "id")) ?? newId(),
      input: hasKeys(input) ? JSON.stringify(input) : undefined,
      hasDeltas: false,
      signature: text(ask(content, "signature")) ?? "",
      redacted: type === "redacted_thinking" ? text(ask(content, "data")) : undefined,
    };
    blocks.set(ask(event, "index"), block);
    if (block.kind === "tool") {
      out.push({ type: "toolStart", id: block.id, name: text(ask(content, "name")) ?? "" });
      previous = "tool";
    }
    const first = text(ask(content, "text")) ?? text(ask(content, "thinking"));
    if (first !== undefined) say(block, first, out);
  }

  function say(block: OpenBlock, delta: string, out: ModelPart[]): void {
    if (delta === "" || (block.kind !== "text" && block.kind !== "reasoning")) return;
    begin(block, out);
    out.push({ type: block.kind, delta });
  }

  /** A block of its own where two of one kind follow each other, else the first delta begins it. */
  function begin(block: OpenBlock, out: ModelPart[], always = false): void {
    if (block.begun || (block.kind !== "text" && block.kind !== "reasoning")) return;
    block.begun = true;
    if (always || previous === block.kind) out.push({ type: "block", kind: block.kind });
    previous = block.kind;
  }

  function delta(event: unknown, out: ModelPart[]): void {
    const block = blocks.get(ask(event, "index"));
    if (block === undefined) return;
    const change = ask(event, "delta");
    switch (ask(change, "type")) {
      case "text_delta":
        say(block, String(ask(change, "text") ?? ""), out);
        return;
      case "thinking_delta":
        say(block, String(ask(change, "thinking") ?? ""), out);
        return;
      case "signature_delta":
        block.signature += String(ask(change, "signature") ?? "");
        return;
      case "input_json_delta": {
        const json = String(ask(change, "partial_json") ?? "");
        if (json === "" || block.kind !== "tool") return;
        block.hasDeltas = true;
        out.push({ type: "toolDelta", id: block.id, delta: json });
        return;
      }
    }
  }

  function stop(event: unknown, out: ModelPart[]): void {
    const index = ask(event, "index");
    const block = blocks.get(index);
    blocks.delete(index);
    if (block?.kind === "tool") {
      const whole = block.hasDeltas || block.input === undefined ? {} : { inputText: block.input };
      out.push({ type: "toolEnd", id: block.id, ...whole });
    } else if (block?.kind === "reasoning") {
      const meta = reasoningMeta(block, endpoint);
      if (meta === undefined) return;
      begin(block, out, true);
      out.push({ type: "meta", meta });
    }
  }

  function finish(out: ModelPart[]): void {
    const stopReason = STOP_REASONS.get(rawReason ?? "") ?? "other";
    out.push({ type: "finish", stopReason, ...(rawReason === undefined ? {} : { rawReason }) });
  }

  return {
    event(data, out) {
      const event = parseTypedEvent(data, endpoint);
      switch (event.type) {
        case "content_block_delta":
          delta(event, out);
          return false;
        case "content_block_start":
          start(event, out);
          return false;
        case "content_block_stop":
          stop(event, out);
          return false;
        case "message_start":
          tellUsage(ask(event.message, "usage"), out);
          return false;
        case "message_delta":
          rawReason = text(ask(event.delta, "stop_reason")) ?? rawReason;
          tellUsage(event.usage, out);
          return false;
        case "message_stop":
          finish(out);
          return true;
        default:
          return false;
      }
    },
    end(out) {
      // Every block closed and the reason told: only the last mark is missing.
      if (rawReason === undefined || blocks.size > 0) throw cutOff(endpoint);
      finish(out);
    },
  };
}

function kindOf(type: unknown): OpenBlock["kind"] {
  if (type === "text") return "text";
  if (type === "thinking" || type === "redacted_thinking") return "reasoning";
  return type === "tool_use" ? "tool" : "other";
}

function hasKeys(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function reasoningMeta(block: OpenBlock, { provider, model }: Endpoint): ProviderMeta | undefined {
  if (block.redacted !== undefined) return { [provider]: { model, redacted: block.redacted } };
  return block.signature === "" ? undefined : { [provider]: { model, signature: block.signature } };
}

function tellUsage(usage: unknown, out: ModelPart[]): void {
  const told: { -readonly [K in keyof Usage]?: number } = {};
  const put = (key: keyof Usage, value: unknown): void => {
    const tokens = count(value);
    if (tokens !== undefined) told[key] = tokens;
  };
  put("inputTokens", ask(usage, "input_tokens"));
  put("outputTokens", ask(usage, "output_tokens"));
  put("cacheReadTokens", ask(usage, "cache_read_input_tokens"));
  put("cacheWriteTokens", ask(usage, "cache_creation_input_tokens"));
  if (Object.keys(told).length > 0) out.push({ type: "usage", usage: told });
}
