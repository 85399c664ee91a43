import type { AssistantMessage, JsonObject, MissedOutput, ParsedInput } from "../protocol/index.ts";
import type { SessionLog, SessionState } from "../sessions/index.ts";

/** How many answers that do not fit are put up with. */
const OUTPUT_TRIES = 3;

/** The answer of a user turn must be data. */
export interface OutputRule {
  /** The tool whose input is the answer. */
  readonly toolName: string;
  /** Checks data that came as text. */
  parse(value: unknown): ParsedInput | Promise<ParsedInput>;
}

/** What an answer came to: the data, with the text beside it, a failure for good, or undefined while there are tries left. */
export type OutputEnd =
  | { readonly kind: "given"; readonly value: JsonObject; readonly text: string }
  | { readonly kind: "failed"; readonly message: string };

/** Looks for the data through one user turn. */
export interface OutputWatch {
  /** Behind a finished round. */
  afterRound(): OutputEnd | undefined;
  /** Behind an answer without calls; asks the model for the data when it is not there. */
  afterText(text: string): Promise<OutputEnd | undefined>;
  /** The tries that are behind the next request, for the log; undefined: none. */
  missed(): MissedOutput | undefined;
  /** A person has said something: tries count from here. */
  reset(): void;
}

/**
 * Watches for the answer of one user turn. It is read from the log, so that a session that is resumed between the
 * answer and its result has it still. So are the tries that are behind: a run that goes on with the turn of another one
 * has no more of them, whatever was summed up in between.
 */
export function watchOutput(rule: OutputRule, log: Pick<SessionLog, "record" | "state">): OutputWatch {
  let behind = log.state.missed;
  const miss = (why: string): OutputEnd | undefined => {
    const { missed } = log.state;
    const answer = lastAnswer(log.state)?.id ?? "";
    behind = missed?.answer === answer ? missed : { count: (missed?.count ?? 0) + 1, answer };
    if (behind.count < OUTPUT_TRIES) return undefined;
    const message = `The model gave no answer that fits outputFormat in ${OUTPUT_TRIES} tries. The last one: ${why}`;
    return { kind: "failed", message };
  };
  const given = (value: JsonObject): OutputEnd => {
    return { kind: "given", value, text: outputText(lastAnswer(log.state), value) };
  };
  return {
    afterRound() {
      const calls = lastCalls(log.state, rule.toolName);
      if (calls.length === 0) return undefined;
      const fitting = calls.findLast(({ finished }) => finished?.outcome === "finished" && !finished.isError);
      const value = fitting?.finished?.structured;
      if (isObject(value)) return given(value);
      return miss(textOf(calls.at(-1)?.finished?.content ?? []));
    },
    async afterText(text) {
      const parsed = await parseText(rule, text);
      if (parsed !== undefined) return given(parsed);
      const ended = miss(`it was text without a call of ${rule.toolName}.`);
      if (ended !== undefined) return ended;
      log.record("user.message", {
        message: reminder(rule.toolName),
        synthetic: true,
        ...(behind && { missed: behind }),
      });
      return undefined;
    },
    missed: () => behind,
    reset() {
      behind = undefined;
    },
  };
}

/** The calls of the rule's tool in the round that the history ends with. */
function lastCalls(state: SessionState, toolName: string) {
  if (state.messages.at(-1)?.role !== "tool") return [];
  return [...(state.closedRound?.calls.values() ?? [])].filter(({ part }) => part.name === toolName);
}

/** Text that is itself the data counts: some models answer so whatever they are told. */
async function parseText(rule: OutputRule, text: string): Promise<JsonObject | undefined> {
  const body = /^\s*```(?:json)?\s*\n([\s\S]*?)\n```\s*$/.exec(text)?.[1] ?? text;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const parsed = await rule.parse(value);
  return parsed.ok ? parsed.input : undefined;
}

function reminder(toolName: string) {
  const text = `Give your answer by calling ${toolName} with an input that fits its schema. Text alone is not read.`;
  return { role: "user", parts: [{ type: "text", text }] } as const;
}

function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map((part) => part.text ?? "").join(" ");
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function lastAnswer({ messages }: SessionState): AssistantMessage | undefined {
  return messages.findLast((message) => message.role === "assistant");
}

/** The final text of a turn whose answer is data: what the model wrote beside it, else the data itself. */
function outputText(message: AssistantMessage | undefined, value: JsonObject): string {
  const text = (message?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
  return text.trim() === "" ? JSON.stringify(value) : text;
}
