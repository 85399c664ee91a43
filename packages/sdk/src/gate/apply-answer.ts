import type { JsonObject, PermissionUpdate } from "../protocol/index.ts";
import { checkContext, judge, judgeAgain } from "./judge.ts";
import type { GateDeps, GateScope, Judged } from "./types.ts";
import { validate } from "./validate.ts";
import { throwIfAborted } from "./waiting.ts";

/** The call as an allow leaves it, decided again; or why that allow cannot be met. */
export type Applied =
  | { readonly ok: true; readonly judged: Judged }
  | { readonly ok: false; readonly problem: string };

/**
 * Does what an allow asks for: its input is validated, its updates are applied, and the call is decided again under
 * what holds then. Nothing is applied where the input does not fit.
 *
 * @param by who answered, for the log.
 * @throws Cancelled
 */
export async function applyAnswer(
  asked: Judged,
  answer: { readonly updatedInput?: JsonObject; readonly updates: readonly PermissionUpdate[] },
  by: string,
  deps: GateDeps,
  scope: GateScope,
): Promise<Applied> {
  const { prepared } = asked;
  let input: JsonObject | undefined;
  if (answer.updatedInput !== undefined) {
    const validated = await validate(prepared.tool, answer.updatedInput, checkContext(deps, scope));
    if (!validated.ok) return unfit(validated.text);
    input = validated.input;
  }
  if (answer.updates.length > 0) {
    throwIfAborted(scope.signal);
    const change = deps.policy.update(answer.updates, by);
    if (!change.ok) {
      return { ok: false, problem: `its updatedPermissions could not be applied: ${change.error}` };
    }
  }
  if (input === undefined) {
    return { ok: true, judged: await judgeAgain(prepared, asked.input, asked.check, deps, scope) };
  }
  const again = await judge(prepared, input, deps, scope);
  return again.ok ? again : unfit(again.text);
}

function unfit(text: string): Applied {
  return { ok: false, problem: `its updatedInput does not fit. ${text}` };
}
