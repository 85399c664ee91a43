import type { JsonValue, StopReason, Usage } from "../../../protocol/index.ts";
import type { ModelPart } from "../../port.ts";
import type { Endpoint } from "../shared/endpoint.ts";
import { problemOf, streamFailure } from "../shared/failures.ts";
import { ask, count, list, text } from "../shared/json.ts";
import { cutOff, parseEvent, type StreamDecoder } from "../shared/stream-decoder.ts";
import { createChatCalls } from "./chat-calls.ts";
import { joinDetails } from "./reasoning-details.ts";

const STOP_REASONS: ReadonlyMap<string, StopReason> = new Map([
  ["stop", "end_turn"],
  ["tool_calls", "tool_use"],
  ["function_call", "tool_use"],
  ["length", "max_tokens"],
  ["content_filter", "refusal"],
]);

/** Reads the chunks of one chat completion. */
export function createChatDecoder(
  endpoint: Endpoint,
  newId: () => string,
  taken: (id: string) => boolean,
): StreamDecoder {
  const calls = createChatCalls(newId, taken);
  let details: JsonValue[] = [];
  let field: string | undefined;
  let block: "text" | "reasoning" | undefined;
  let rawReason: string | undefined;
  let refused = false;

  function think(delta: string, from: string, out: ModelPart[]): void {
    if (block !== "reasoning") {
      out.push({ type: "block", kind: "reasoning" });
      out.push({ type: "meta", meta: { [endpoint.provider]: { field: from } } });
    }
    block = "reasoning";
    field = from;
    if (delta !== "") out.push({ type: "reasoning", delta });
  }

  /** Details that only their provider can read belong to the reasoning that has just ended. */
  function tellDetails(out: ModelPart[]): void {
    if (details.length === 0) return;
    const from = field ?? "reasoning";
    if (block !== "reasoning") think("", from, out);
    const joined = joinDetails(details);
    details = [];
    out.push({ type: "meta", meta: { [endpoint.provider]: { field: from, details: joined } } });
  }

  function say(delta: string, out: ModelPart[]): void {
    if (block !== "text") tellDetails(out);
    block = "text";
    out.push({ type: "text", delta });
  }

  /** A text; with some servers a list of texts and thoughts. */
  function readContent(content: unknown, out: ModelPart[]): void {
    if (typeof content === "string" && content !== "") say(content, out);
    for (const piece of list(content)) {
      const said = text(ask(piece, "text"));
      if (said !== undefined) say(said, out);
      for (const thought of list(ask(piece, "thinking"))) {
        const words = text(ask(thought, "text"));
        if (words !== undefined) think(words, "thinking", out);
      }
    }
  }

  function read(delta: unknown, out: ModelPart[]): void {
    readContent(ask(delta, "content"), out);
    for (const name of ["reasoning_content", "reasoning"]) {
      const thought = text(ask(delta, name));
      if (thought === undefined) continue;
      think(thought, name, out);
      break;
    }
    for (const detail of list(ask(delta, "reasoning_details"))) details.push(detail as JsonValue);
    const refusal = text(ask(delta, "refusal"));
    if (refusal !== undefined) {
      refused = true;
      say(refusal, out);
    }
    for (const piece of list(ask(delta, "tool_calls"))) {
      tellDetails(out);
      block = undefined;
      calls.delta(piece, out);
    }
  }

  function finish(out: ModelPart[]): void {
    tellDetails(out);
    const known = refused ? "refusal" : (STOP_REASONS.get(rawReason ?? "") ?? "other");
    out.push({ type: "finish", stopReason: known, ...(rawReason === undefined ? {} : { rawReason }) });
  }

  return {
    event(data, out) {
      if (data === "[DONE]") {
        if (rawReason === undefined) throw cutOff(endpoint);
        finish(out);
        return true;
      }
      const chunk = parseEvent(data, endpoint);
      const choice = list(chunk.choices)[0];
      const reason = text(ask(choice, "finish_reason"));
      const error = chunk.error ?? ask(choice, "error");
      if ((error !== undefined && error !== null) || chunk.object === "error" || reason === "error") {
        throw streamFailure(endpoint, problemOf(error === undefined ? chunk : { error }));
      }
      if (choice !== undefined) read(ask(choice, "delta"), out);
      if (reason !== undefined) {
        rawReason = reason;
        calls.end(out);
      }
      tellUsage(chunk.usage, out);
      return false;
    },
    end(out) {
      // Many servers leave the last mark out; the reason is the end of the answer.
      if (rawReason === undefined) throw cutOff(endpoint);
      finish(out);
    },
  };
}

/** `prompt_tokens` counts what was cached too. */
function tellUsage(usage: unknown, out: ModelPart[]): void {
  const prompt = count(ask(usage, "prompt_tokens"));
  const completion = count(ask(usage, "completion_tokens"));
  if (prompt === undefined && completion === undefined) return;
  const cache = ask(usage, "prompt_tokens_details");
  const read = count(ask(cache, "cached_tokens")) ?? count(ask(usage, "prompt_cache_hit_tokens")) ?? 0;
  const written = count(ask(cache, "cache_write_tokens")) ?? 0;
  const told: Usage = {
    inputTokens: Math.max(0, (prompt ?? 0) - read - written),
    outputTokens: completion ?? 0,
    cacheReadTokens: read,
    cacheWriteTokens: written,
  };
  out.push({ type: "usage", usage: told });
}
