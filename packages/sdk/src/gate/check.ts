import { readUpdates } from "../permissions/index.ts";
import type { Clock } from "../platform/index.ts";
import type { CheckAnswer, CheckContext, JsonObject, ToolDefinition } from "../protocol/index.ts";
import { copyJson, jsonEqual } from "../schema/index.ts";
import type { Validated } from "./validate.ts";
import { validate } from "./validate.ts";
import { Cancelled, isAbortError, messageOf, TooSlow, wait } from "./waiting.ts";

/** A check that failed counts as an ask that no mode and no rule lifts. */
export type CheckOutcome = CheckAnswer | { readonly failed: string };

export type Checked =
  | { readonly ok: true; readonly input: JsonObject; readonly check?: CheckOutcome }
  | { readonly ok: false; readonly text: string };

const LIMIT_MS = 10_000;

/**
 * Asks the tool itself. A rewritten input is validated and shown to the check once more, which can
 * then only tighten: a second rewrite is not applied, and a second allow adds nothing.
 *
 * @throws Cancelled when the run was aborted or the check threw an AbortError.
 */
export async function runCheck(
  tool: ToolDefinition,
  input: JsonObject,
  context: CheckContext,
  clock: Clock,
): Promise<Checked> {
  if (!tool.hasCheck) return { ok: true, input };
  const first = await ask(tool, input, context, clock);
  if ("failed" in first || first.updatedInput === undefined || jsonEqual(first.updatedInput, input)) {
    return { ok: true, input, check: first };
  }
  const validated: Validated = await validate(tool, first.updatedInput, context);
  if (!validated.ok) {
    return { ok: false, text: `The check of ${tool.name} changed the input. ${validated.text}` };
  }
  const second = await ask(tool, validated.input, context, clock);
  return { ok: true, input: validated.input, check: stricter(first, second) };
}

function stricter(first: CheckAnswer, second: CheckOutcome): CheckOutcome {
  if ("failed" in second) return first.behavior === "deny" ? first : second;
  return weight(second) > weight(first) ? second : first;
}

function weight(answer: CheckAnswer): number {
  if (answer.behavior === "deny") return 3;
  if (answer.behavior === "ask") return answer.kept === true ? 2 : 1;
  return 0;
}

async function ask(
  tool: ToolDefinition,
  input: JsonObject,
  context: CheckContext,
  clock: Clock,
): Promise<CheckOutcome> {
  try {
    const answer: unknown = await wait(tool.checkPermissions(input, context), context.signal, {
      ms: LIMIT_MS,
      clock,
    });
    return readAnswer(answer);
  } catch (error) {
    if (error instanceof Cancelled || isAbortError(error)) throw new Cancelled();
    if (error instanceof TooSlow) return { failed: `it gave no answer within ${LIMIT_MS / 1000} s` };
    return { failed: `it threw: ${messageOf(error)}` };
  }
}

const BEHAVIORS: readonly unknown[] = ["allow", "deny", "ask", "passthrough"];

function readAnswer(answer: unknown): CheckOutcome {
  if (typeof answer !== "object" || answer === null) return { failed: "it answered with no object" };
  const { behavior, message, updatedInput, suggestions, kept } = answer as Record<string, unknown>;
  if (!BEHAVIORS.includes(behavior)) {
    return { failed: "its behavior is none of allow, deny, ask and passthrough" };
  }
  if (message !== undefined && typeof message !== "string") return { failed: "its message is no text" };
  if (kept !== undefined && typeof kept !== "boolean")
    return { failed: "its kept is neither true nor false" };
  const copied = updatedInput === undefined ? undefined : copyJson(updatedInput);
  if (copied?.ok === false) return { failed: `its updatedInput is no JSON: ${copied.problem}` };
  if (
    copied !== undefined &&
    (typeof copied.value !== "object" || copied.value === null || Array.isArray(copied.value))
  ) {
    return { failed: "its updatedInput is no object" };
  }
  const updates = suggestions === undefined ? undefined : readUpdates(suggestions, "suggestions");
  if (updates?.ok === false) return { failed: updates.problem };
  return {
    behavior: behavior as CheckAnswer["behavior"],
    ...(message === undefined ? {} : { message }),
    ...(copied === undefined ? {} : { updatedInput: copied.value as JsonObject }),
    ...(updates === undefined ? {} : { suggestions: updates.updates }),
    ...(kept === undefined ? {} : { kept }),
  };
}
