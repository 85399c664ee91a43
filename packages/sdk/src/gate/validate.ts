import type { CheckContext, JsonObject, ToolDefinition } from "../protocol/index.ts";
import { issuesText } from "../schema/index.ts";
import { Cancelled, isAbortError, messageOf, wait } from "./waiting.ts";

export type Validated =
  | { readonly ok: true; readonly input: JsonObject }
  /** `text` says what is wrong, field by field, for a model. */
  | { readonly ok: false; readonly text: string };

/**
 * The same for an input that a model or a hook wrote: the keys that only a person's answer sets are taken out.
 */
export function validateUnanswered(
  tool: ToolDefinition,
  value: unknown,
  context: CheckContext,
): Promise<Validated> {
  const { personKeys } = tool;
  if (personKeys === undefined || typeof value !== "object" || value === null || Array.isArray(value)) {
    return validate(tool, value, context);
  }
  const kept = Object.entries(value).filter(([key]) => !personKeys.includes(key));
  return validate(tool, Object.fromEntries(kept), context);
}

/** The schema, then the tool's own `validateInput`. Anything that throws here is an invalid input. */
export async function validate(
  tool: ToolDefinition,
  value: unknown,
  context: CheckContext,
): Promise<Validated> {
  try {
    const parsed = await wait(tool.parseInput(value), context.signal);
    if (!parsed.ok) {
      const text = `The input of ${tool.name} is not valid, so it did not run:\n${issuesText(parsed.issues)}`;
      return { ok: false, text };
    }
    const own = await wait(tool.validateInput(parsed.input, context), context.signal);
    if (own?.ok === true) return { ok: true, input: parsed.input };
    const why = typeof own?.message === "string" ? own.message : "validateInput gave no answer";
    return { ok: false, text: `${tool.name} refuses this input: ${why}` };
  } catch (error) {
    if (error instanceof Cancelled || isAbortError(error)) throw new Cancelled();
    return { ok: false, text: `The input of ${tool.name} could not be validated: ${messageOf(error)}` };
  }
}
