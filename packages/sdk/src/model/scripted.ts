import type { Clock } from "../platform/index.ts";
import { nodePlatform } from "../platform/index.ts";
import type { Usage } from "../protocol/index.ts";
import { AbortError, CastellanError } from "../protocol/index.ts";
import { checkScript, checkTurn } from "./check-script.ts";
import { pause } from "./pause.ts";
import type { LanguageModel, ModelPart, ModelRequest } from "./port.ts";
import { requestTail } from "./request-tail.ts";
import type { ScriptedTurn, ScriptStep } from "./script.ts";

/** How a scripted model is set up. */
export interface ScriptedModelOptions {
  /** Its name in logs and results. Default: `scripted`. */
  readonly id?: string;
  /**
   * Which turn a request gets. `calls` (default): the first request the first turn, and so on. `history`: the
   * turn behind the assistant messages that the request holds already, so that a resumed session goes on where
   * it stopped and a repeated request gets the same turn; a sub-agent with a history of its own begins at turn 1.
   */
  readonly position?: "calls" | "history";
  /** For `delayMs`. Default: the machine's clock. */
  readonly clock?: Clock;
}

/** A model that says what its script says. */
export interface ScriptedModel extends LanguageModel {
  /** Every request so far, as it was when it came. */
  readonly requests: readonly ModelRequest[];
}

/**
 * A model for tests and demos: it gives the turns of a script, one a request, as a real one streams them.
 *
 * @throws `invalid_model` when the script is none, naming turn and key. The stream throws `script_exhausted` when
 * there is no turn left, and AbortError once its signal fires.
 *
 * @example
 * const model = scriptedModel([{ toolCalls: [{ name: "Read", input: { file_path: "a.txt" } }] }, "Done."]);
 */
export function scriptedModel(
  turns: readonly ScriptStep[],
  options: ScriptedModelOptions = {},
): ScriptedModel {
  const id = options.id ?? "scripted";
  const where = `The script "${id}"`;
  const steps = checkScript(turns, where);
  const clock = options.clock ?? nodePlatform().clock;
  const requests: ModelRequest[] = [];

  return {
    id,
    provider: "scripted",
    requests,
    stream(request, { signal }) {
      const answers = request.messages.filter((message) => message.role === "assistant").length;
      const at = options.position === "history" ? answers : requests.length;
      // The arrays of a request live on; the record keeps the moment.
      requests.push({ ...request, messages: [...request.messages] });
      return play(at, answers, request, signal);
    },
  };

  async function* play(
    at: number,
    answers: number,
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelPart> {
    const step = steps[at];
    if (step === undefined) throw exhausted(where, steps.length, at, request);
    const said = typeof step === "function" ? await step(request) : step;
    const turn = checkTurn(said, `${where}, turn ${at + 1}`);
    await pause(clock, turn.delayMs ?? 0, signal);
    for (const part of partsOf(turn, answers, request)) {
      if (signal.aborted) throw new AbortError("The model request was aborted.");
      yield part;
    }
    if (turn.error !== undefined) {
      const error = new CastellanError("model_failed", turn.error, { subject: id });
      const told = turn.failure ?? { retryable: false };
      throw Object.assign(error, { failure: { message: turn.error, ...told } });
    }
  }
}

function* partsOf(turn: ScriptedTurn, answers: number, request: ModelRequest): Generator<ModelPart> {
  const { text, thinking, toolCalls = [] } = turn;
  for (const delta of words(thinking ?? "")) yield { type: "reasoning", delta };
  for (const delta of words(text ?? "")) yield { type: "text", delta };
  let length = (thinking ?? "").length + (text ?? "").length;
  for (const [index, call] of toolCalls.entries()) {
    const id = call.id ?? `call_${answers + 1}_${index + 1}`;
    const input = call.inputText ?? JSON.stringify(call.input ?? {});
    length += input.length;
    yield { type: "toolStart", id, name: call.name };
    for (const delta of slices(input)) yield { type: "toolDelta", id, delta };
    yield { type: "toolEnd", id };
  }
  if (turn.error !== undefined || turn.breakOff === true) return;
  yield { type: "usage", usage: { ...defaultUsage(length, request), ...turn.usage } };
  yield { type: "finish", stopReason: turn.stopReason ?? (toolCalls.length > 0 ? "tool_use" : "end_turn") };
}

const SLICE = 48;

/** Text as it is streamed: a word and the space behind it a delta. */
function words(text: string): readonly string[] {
  return text.match(/\s*\S+\s?|\s+/g) ?? [];
}

function* slices(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += SLICE) yield text.slice(at, at + SLICE);
}

function defaultUsage(length: number, request: ModelRequest): Partial<Usage> {
  return { inputTokens: 10 * request.messages.length, outputTokens: Math.ceil(length / 4) };
}

function exhausted(where: string, size: number, at: number, request: ModelRequest): CastellanError {
  const asked = at === size ? "one more" : `turn ${at + 1}`;
  return new CastellanError(
    "script_exhausted",
    `${where} has ${size} turn${size === 1 ? "" : "s"}, and ${asked} was asked for. ${requestTail(request)}`,
    { subject: where },
  );
}
