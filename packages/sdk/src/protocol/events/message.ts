import type { AssistantMessage, StopReason, Usage, UserMessage } from "../message.ts";
import type { Envelope } from "./envelope.ts";

/** Answers of one user turn that were not what `outputFormat` asks for. */
export interface MissedOutput {
  readonly count: number;
  /** `id` of the last one: it counts once, however often a run begins anew behind it. */
  readonly answer: string;
}

export type UserMessageEvent = Envelope<
  "user.message",
  {
    readonly message: UserMessage;
    /** Made by us (a continuation after an interrupt), not by a person. */
    readonly synthetic?: boolean;
    /** The timer that it comes from: what that had to say is said. */
    readonly timerId?: string;
    /** A turn begins with it, though no person wrote it: what is counted by the turn begins anew. */
    readonly opens?: boolean;
    /** It asks for the data once more. */
    readonly missed?: MissedOutput;
  }
>;

export type ModelRequested = Envelope<
  "model.requested",
  {
    readonly model: string;
    readonly turn: number;
    readonly messages: number;
    /** Answers before it that were not the data that was asked for; absent: none. */
    readonly missed?: MissedOutput;
  }
>;

export type ModelRetried = Envelope<
  "model.retried",
  {
    readonly model: string;
    /** 1 for the first retry of a request. */
    readonly attempt: number;
    readonly delayMs: number;
    readonly error: string;
    /** How many retries there may be. */
    readonly maxRetries?: number;
    /** The HTTP status of the failure, where it has one. */
    readonly status?: number;
    /** The next try goes to this model, and so does the rest of the user turn. */
    readonly fallback?: string;
  }
>;

/** A finished answer. Its tool calls count as requested from here on. */
export type ModelCompleted = Envelope<
  "model.completed",
  {
    readonly model: string;
    readonly message: AssistantMessage;
    readonly usage: Usage;
    readonly stopReason: StopReason;
    /** US dollars; absent when no price is known. */
    readonly costUsd?: number;
    readonly durationMs: number;
    /** The answer was cut short by an interrupt: it has no tool calls that could run. */
    readonly interrupted?: boolean;
  }
>;
