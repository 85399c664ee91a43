import type { Decision, DecisionReason, JsonObject } from "../protocol/index.ts";

interface Turn {
  readonly behavior: "allow" | "deny";
  readonly message: string;
  readonly reason: DecisionReason;
  /** The step of the ask chain that settled it, for the trace. */
  readonly check: string;
}

/** A decision that the ask chain settled. What the first one explains stays readable, and unread it costs nothing. */
export function turned(from: Decision, turn: Turn, updatedInput?: JsonObject): Decision {
  return {
    behavior: turn.behavior,
    message: turn.message,
    reason: turn.reason,
    ...(from.rule === undefined ? {} : { rule: from.rule }),
    hard: from.hard,
    get trace() {
      return [
        ...from.trace,
        { step: 6 as const, check: turn.check, outcome: turn.behavior, detail: turn.message },
      ];
    },
    get suggestions() {
      return from.suggestions;
    },
    ...(updatedInput === undefined ? {} : { updatedInput }),
  };
}

/** The same decision, with the input that it is about where that is not the one that the model sent. */
export function withInput(from: Decision, updatedInput: JsonObject): Decision {
  return {
    behavior: from.behavior,
    get message() {
      return from.message;
    },
    reason: from.reason,
    ...(from.rule === undefined ? {} : { rule: from.rule }),
    hard: from.hard,
    get trace() {
      return from.trace;
    },
    get suggestions() {
      return from.suggestions;
    },
    updatedInput,
  };
}
