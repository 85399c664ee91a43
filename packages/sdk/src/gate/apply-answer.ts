import { applyUpdates } from "../permissions/index.ts";
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
    const kept = await persisted(answer.updates, deps);
    if (typeof kept === "string") return { ok: false, problem: kept };
    const change = deps.policy.update(kept, by);
    if (!change.ok) {
      return { ok: false, problem: notApplied(change.error) };
    }
  }
  if (input === undefined) {
    return { ok: true, judged: await judgeAgain(prepared, asked.input, asked.check, deps, scope) };
  }
  const again = await judge(prepared, input, deps, scope);
  return again.ok ? again : unfit(again.text);
}

const IN_MEMORY: ReadonlySet<string> = new Set(["session", "cliArg"]);

/** The updates as they count, once those for files are written; or why they cannot be made. */
async function persisted(
  updates: readonly PermissionUpdate[],
  { persist, policy }: GateDeps,
): Promise<readonly PermissionUpdate[] | string> {
  const filed = updates.find(({ destination }) => !IN_MEMORY.has(destination));
  if (filed === undefined) return updates;
  if (persist === undefined) {
    return notApplied(
      `an update for ${filed.destination} changes a settings file, which this session does not write. Use the destination session.`,
    );
  }
  // Nothing is written that could not be applied.
  const tried = applyUpdates(policy.current().context, updates);
  if ("error" in tried) return notApplied(tried.error);
  return persist(updates);
}

function notApplied(why: string): string {
  return `its updatedPermissions could not be applied: ${why}`;
}

function unfit(text: string): Applied {
  return { ok: false, problem: `its updatedInput does not fit. ${text}` };
}
