import { ask, cutOff, type FailurePlace, type ModelPart } from "../model/index.ts";
import type { StopReason } from "../protocol/index.ts";
import { badAnswer, endedInError, eventFailure, messageOf } from "./failures.ts";
import { createOpenBlock, type OpenBlock } from "./open-block.ts";
import { readUsage } from "./usage.ts";

const STOP_REASONS: ReadonlyMap<unknown, StopReason> = new Map([
  ["stop", "end_turn"],
  ["tool-calls", "tool_use"],
  ["length", "max_tokens"],
  ["content-filter", "refusal"],
]);
const RAW_REASONS: ReadonlyMap<unknown, StopReason> = new Map([
  ["refusal", "refusal"],
  ["model_context_window_exceeded", "context_overflow"],
]);

/** Reads the parts of one answer, of whichever version. */
export interface Decoder {
  /** @throws what the provider says went wrong. */
  part(part: unknown, out: ModelPart[]): void;
  readonly finished: boolean;
  /** The stream has ended. @throws where no end was told. */
  end(): void;
}

interface Call {
  readonly hasDeltas: boolean;
  /** Deltas are not JSON; the call itself holds the input. */
  readonly asText: boolean;
}

export function createDecoder(
  place: FailurePlace,
  target: { readonly meta: string; readonly modelId: string },
  now: () => number,
  warn: (line: string) => void,
): Decoder {
  const block: OpenBlock = createOpenBlock(target);
  const calls = new Map<unknown, Call>();
  const foreign = new Set<unknown>();
  /** An event that nobody knows, until the stream shows that it goes on. */
  let passedOver: unknown;
  let finished = false;

  function toolStart(part: unknown, out: ModelPart[]): void {
    const id = String(ask(part, "id"));
    if (ask(part, "providerExecuted") === true) {
      foreign.add(id);
      return;
    }
    beginCall(id, ask(part, "toolName"), ask(part, "inputEncoding") === "text", out);
  }

  function beginCall(id: string, name: unknown, asText: boolean, out: ModelPart[]): void {
    block.close(out);
    block.toolBegan();
    calls.set(id, { hasDeltas: false, asText });
    out.push({ type: "toolStart", id, name: String(name ?? "") });
  }

  function toolDelta(part: unknown, out: ModelPart[]): void {
    const id = String(ask(part, "id"));
    const call = calls.get(id);
    const delta = ask(part, "delta");
    if (call === undefined || call.asText || typeof delta !== "string" || delta === "") return;
    if (!call.hasDeltas) calls.set(id, { ...call, hasDeltas: true });
    out.push({ type: "toolDelta", id, delta });
  }

  function toolCall(part: unknown, out: ModelPart[]): void {
    const id = String(ask(part, "toolCallId"));
    if (ask(part, "providerExecuted") === true || foreign.has(id)) {
      warn(`A call of ${String(ask(part, "toolName"))}, which the provider runs itself, is left out.`);
      return;
    }
    if (!calls.has(id)) beginCall(id, ask(part, "toolName"), false, out);
    const input = ask(part, "input");
    const whole = typeof input === "string" ? input : JSON.stringify(input ?? {});
    const meta = block.metaOf(ask(part, "providerMetadata"));
    out.push({
      type: "toolEnd",
      id,
      ...(calls.get(id)?.hasDeltas === true ? {} : { inputText: whole }),
      ...(meta === undefined ? {} : { meta }),
    });
  }

  function problem(error: unknown): void {
    const failure = eventFailure(error, place, now());
    if (failure !== undefined) throw failure;
    passedOver = error;
    const type = ask(ask(error, "value"), "type") ?? ask(ask(error, "value"), "object");
    warn(`An event ${typeof type === "string" ? `"${type}" ` : ""}that is not known was passed over.`);
  }

  function finish(part: unknown, out: ModelPart[]): void {
    const told = ask(part, "finishReason");
    const isText = typeof told === "string";
    const unified = isText ? told : ask(told, "unified");
    const raw = isText ? told : ask(told, "raw");
    if (unified === "error")
      throw passedOver === undefined ? endedInError(place) : badAnswer(place, passedOver);
    // Some packages end every stream by themselves, also one that was cut off: they know no reason then.
    if (isText ? unified === "unknown" : raw === undefined && (unified === "other" || unified === undefined))
      throw cutOff(place);
    block.close(out);
    const usage = readUsage(ask(part, "usage"), ask(part, "providerMetadata"));
    if (Object.keys(usage).length > 0) out.push({ type: "usage", usage });
    const stopReason = RAW_REASONS.get(raw) ?? STOP_REASONS.get(unified) ?? "other";
    out.push({ type: "finish", stopReason, ...(typeof raw === "string" ? { rawReason: raw } : {}) });
    finished = true;
  }

  return {
    get finished() {
      return finished;
    },
    part(part, out) {
      if (finished) return;
      const type = ask(part, "type");
      switch (type) {
        case "text-start":
        case "reasoning-start":
        case "text-delta":
        case "reasoning-delta":
        case "text-end":
        case "reasoning-end":
          return block.part(type, part, out);
        case "tool-input-start":
          return toolStart(part, out);
        case "tool-input-delta":
          return toolDelta(part, out);
        case "tool-call":
          return toolCall(part, out);
        case "error":
          return problem(ask(part, "error"));
        case "finish":
          return finish(part, out);
        case "stream-start":
          return tellWarnings(ask(part, "warnings"), warn);
        case "file":
          return warn("A file in the answer was left out.");
        default:
      }
    },
    end() {
      if (!finished) throw passedOver === undefined ? cutOff(place) : badAnswer(place, passedOver);
    },
  };
}

function tellWarnings(warnings: unknown, warn: (line: string) => void): void {
  if (!Array.isArray(warnings)) return;
  for (const warning of warnings as readonly unknown[]) {
    const what = ask(warning, "details") ?? ask(warning, "message") ?? "";
    const about = ask(warning, "feature") ?? ask(warning, "setting") ?? ask(warning, "type");
    warn(
      `The provider's package says: ${String(about)}. ${what === "" ? "" : messageOf(String(what))}`.trim(),
    );
  }
}
