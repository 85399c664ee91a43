import type { Usage, UserMessage } from "../message.ts";
import type { Envelope } from "./envelope.ts";

/** Why a history was summed up: it reached its limit, the model refused it as too long, a person asked for it. */
export type CompactTrigger = "threshold" | "overflow" | "manual";

/**
 * The beginning of the history has given way to a summary. The originals stay in the log. Rules, mode, to-dos, tasks and
 * approvals are no part of a history and are not touched.
 */
export type Compacted = Envelope<
  "compacted",
  {
    readonly trigger: CompactTrigger;
    /** What the history begins with from here on. */
    readonly summary: UserMessage;
    /** How many messages of the history were kept behind it, from its end. */
    readonly kept: number;
    /** How many were taken away; a summary before this one is among them. */
    readonly messages: number;
    /** `seq` of the last event whose message was taken away. No round of calls is open there. */
    readonly through: number;
    /** What people said in all that was taken away so far, word for word, as far as it is held on to: the first message first. */
    readonly words: readonly string[];
    /** Tokens of a whole request before and after: the provider's own count where it was known, else an estimate. */
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    /** The model that wrote the summary; absent where none could, and the history was shortened without one. */
    readonly model?: string;
    /** Of the request that gave the summary; what failed before it is told by itself, as `model.completed` without parts. */
    readonly usage: Usage;
    /** US dollars; absent when no price is known. */
    readonly costUsd?: number;
    readonly durationMs: number;
  }
>;
