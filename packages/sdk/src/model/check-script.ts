import { CastellanError } from "../protocol/index.ts";
import type { ScriptedTurn, ScriptStep } from "./script.ts";

const STOP_REASONS = ["end_turn", "tool_use", "max_tokens", "refusal", "context_overflow", "other"];
const COUNTS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"];

type Check = (value: unknown) => string | undefined;

const TURN: Readonly<Record<string, Check>> = {
  text: isText,
  thinking: isText,
  toolCalls: (value) => (Array.isArray(value) ? undefined : "a list"),
  stopReason: (value) =>
    STOP_REASONS.includes(value as string) ? undefined : `one of ${STOP_REASONS.join(", ")}`,
  usage: isUsage,
  delayMs: (value) => (isCount(value) ? undefined : "a number of milliseconds"),
  error: isText,
  failure: isFailure,
  breakOff: (value) => (typeof value === "boolean" ? undefined : "true or false"),
};

const CALL: Readonly<Record<string, Check>> = {
  name: (value) => (typeof value === "string" && value.trim() !== "" ? undefined : "the name of a tool"),
  input: (value) => (isPlain(value) ? undefined : "an object"),
  inputText: isText,
  id: (value) => (typeof value === "string" && value !== "" ? undefined : "a text"),
};

/**
 * The steps of a script.
 *
 * @param where names the script in errors.
 * @throws `invalid_model`, naming the script, the turn (from 1) and the key.
 */
export function checkScript(value: unknown, where: string): readonly ScriptStep[] {
  if (!Array.isArray(value)) throw invalid(where, `a script is a list of turns, this is ${kindOf(value)}.`);
  value.forEach((step: unknown, at) => {
    if (typeof step !== "function") checkTurn(step, `${where}, turn ${at + 1}`);
  });
  return value as readonly ScriptStep[];
}

/** One turn, its text alone made whole. @throws `invalid_model`. */
export function checkTurn(value: unknown, where: string): ScriptedTurn {
  if (typeof value === "string") return { text: value };
  if (!isPlain(value)) {
    throw invalid(where, `a turn is an object or a text, this is ${kindOf(value)}.`);
  }
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(TURN, key)) throw unknownKey(where, key, TURN);
    checkField(value[key], key, where, TURN);
  }
  if (["text", "thinking", "toolCalls", "error", "breakOff"].every((key) => value[key] === undefined)) {
    throw invalid(where, 'it says nothing. Give it "text" (which may be empty), "thinking" or "toolCalls".');
  }
  const turn = value as ScriptedTurn;
  checkCalls(turn.toolCalls ?? [], where);
  return turn;
}

function checkCalls(calls: readonly unknown[], where: string): void {
  calls.forEach((call: unknown, at) => {
    const place = `${where}, tool call ${at + 1}`;
    if (!isPlain(call)) throw invalid(place, `it must be an object, this is ${kindOf(call)}.`);
    for (const key of Object.keys(call)) {
      if (!Object.hasOwn(CALL, key)) throw unknownKey(place, key, CALL);
      checkField(call[key], key, place, CALL);
    }
    if (call.name === undefined) throw invalid(place, '"name" is missing.');
  });
}

function checkField(
  value: unknown,
  key: string,
  where: string,
  table: Readonly<Record<string, Check>>,
): void {
  if (value === undefined) return;
  const expected = table[key]?.(value);
  if (expected !== undefined) throw invalid(where, `"${key}" must be ${expected}, this is ${kindOf(value)}.`);
}

function isText(value: unknown): string | undefined {
  return typeof value === "string" ? undefined : "a text";
}

function isUsage(value: unknown): string | undefined {
  const sane =
    isPlain(value) && Object.entries(value).every(([key, n]) => COUNTS.includes(key) && isCount(n));
  return sane ? undefined : `an object of the numbers ${COUNTS.join(", ")}`;
}

function isFailure(value: unknown): string | undefined {
  const kinds: Readonly<Record<string, string>> = {
    kind: "string",
    retryable: "boolean",
    retryAfterMs: "number",
    status: "number",
  };
  const sane =
    isPlain(value) &&
    Object.entries(value).every(([key, item]) => Object.hasOwn(kinds, key) && typeof item === kinds[key]);
  return sane ? undefined : "an object of kind, retryable, retryAfterMs and status";
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "function") return "a function";
  return value === undefined ? "nothing" : `${typeof value} ${JSON.stringify(value) ?? ""}`.trim();
}

function unknownKey(where: string, key: string, table: Readonly<Record<string, Check>>): CastellanError {
  return invalid(where, `"${key}" is no key here. The keys are ${Object.keys(table).join(", ")}.`);
}

function invalid(where: string, what: string): CastellanError {
  return new CastellanError("invalid_model", `${where}: ${what}`, { subject: where });
}
