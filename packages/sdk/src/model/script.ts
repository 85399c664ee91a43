import type { JsonObject, StopReason, Usage } from "../protocol/index.ts";
import type { ModelRequest } from "./port.ts";

/** A tool call of a script. */
export interface ScriptedToolCall {
  readonly name: string;
  /** Default: `{}`. */
  readonly input?: JsonObject;
  /** The input as the model's own text, for what is not JSON; instead of `input`. */
  readonly inputText?: string;
  /** Default: one that no other call of the session has. */
  readonly id?: string;
}

/** What an error of a model may tell; all of it is optional. */
export interface ScriptedFailure {
  /** `http`, `network`, `stalled`, `truncated`, `auth`, `context_overflow` … */
  readonly kind?: string;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  readonly status?: number;
}

/** One answer. At least one of `text`, `thinking`, `toolCalls` and `error` stands in it. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly thinking?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** Default: `tool_use` with tool calls, else `end_turn`. */
  readonly stopReason?: StopReason;
  /** Default: 10 input tokens a message, and an output token for each 4 characters. */
  readonly usage?: Partial<Usage>;
  /** Milliseconds before the first part. */
  readonly delayMs?: number;
  /**
   * The stream throws `model_failed` with this text behind the turn's other parts. That ends the run, unless
   * `failure` says that it may pass.
   */
  readonly error?: string;
  /**
   * What the thrown error says of itself, beside `error`. With `{status: 529}`, `{retryable: true}` or `{}` a session
   * tries again, as it does after `breakOff`: the next turn of the script answers the next try.
   */
  readonly failure?: ScriptedFailure;
  /** The stream ends behind the turn's other parts without a `finish`, as a broken connection does. */
  readonly breakOff?: boolean;
}

/** A turn of a script: an answer, its text alone, or a function that makes it of the request. */
export type ScriptStep =
  | ScriptedTurn
  | string
  | ((request: ModelRequest) => ScriptedTurn | string | Promise<ScriptedTurn | string>);
