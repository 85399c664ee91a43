import type { HookEvent } from "../protocol/index.ts";
import { errorText } from "../protocol/index.ts";
import type { HookAnswer } from "./answer.ts";
import { readOpinion } from "./opinion.ts";
import { describe, type Fields, isFields, Malformed, optional } from "./output-fields.ts";
import { strangeSpecificKeys, strangeTopKeys } from "./output-keys.ts";

export type ReadOutput =
  | { readonly ok: true; readonly answer: HookAnswer }
  | { readonly ok: false; readonly problem: string };

/** Reads what a callback returned. Anything but a well-formed answer is a problem, never an allow. */
export function readOutput(event: HookEvent, output: unknown): ReadOutput {
  try {
    return { ok: true, answer: read(event, output) };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, problem: error.message };
    const why = errorText(error);
    return { ok: false, problem: `reading its output threw: ${why}` };
  }
}

function read(event: HookEvent, output: unknown): HookAnswer {
  if (!isFields(output)) {
    throw new Malformed(`it returned ${describe(output)}; return an object, {} for no opinion`);
  }
  const warnings = strangeTopKeys(event, output);
  if (optional(output, "async", "boolean") === true) return readAsync(output, warnings);
  const specific = readSpecific(event, output.hookSpecificOutput);
  warnings.push(...strangeSpecificKeys(event, specific));

  const suppress = optional(output, "suppressOutput", "boolean");
  const going = optional(output, "continue", "boolean");
  const stopReason = optional(output, "stopReason", "string");
  const systemMessage = optional(output, "systemMessage", "string");
  const context = optional(specific, "additionalContext", "string");
  const opinion = readOpinion(event, output, specific);
  return {
    ...opinion,
    ...(context === undefined || context === "" ? {} : { context }),
    ...(going === false ? { stop: { reason: stopReason ?? "A hook ended the run." } } : {}),
    ...(suppress === true ? { suppressOutput: true } : {}),
    ...(systemMessage === undefined ? {} : { systemMessage }),
    warnings: [...warnings, ...(opinion.warnings ?? [])],
  };
}

/** Nobody waits for it, so it cannot decide; a decision beside `async` would be lost. */
function readAsync(output: Fields, warnings: readonly string[]): HookAnswer {
  const { async: _, asyncTimeout: __, suppressOutput: ___, systemMessage, ...others } = output;
  const decides = Object.keys(others).find((key) => others[key] !== undefined && !warnings.includes(key));
  if (decides !== undefined) {
    throw new Malformed(
      `"${decides}" stands beside "async": true, which cannot decide; leave one of them out`,
    );
  }
  if (systemMessage === undefined) return { warnings };
  return { warnings, systemMessage: optional(output, "systemMessage", "string") ?? "" };
}

function readSpecific(event: HookEvent, value: unknown): Fields {
  if (value === undefined) return {};
  if (!isFields(value)) throw new Malformed(`"hookSpecificOutput" is ${describe(value)}; give an object`);
  if (value.hookEventName !== event) {
    const name = describe(value.hookEventName);
    throw new Malformed(`"hookSpecificOutput.hookEventName" is ${name}; give "${event}"`);
  }
  return value;
}
