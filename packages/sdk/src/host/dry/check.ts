import { explainDecision } from "../../permissions/index.ts";
import type { Decision } from "../../protocol/index.ts";
import { badOption, faultError } from "../options/fault.ts";
import { dryCall } from "./check-options.ts";
import { toolNameFix } from "./dry-tools.ts";
import { openCheck } from "./open-check.ts";
import type { CheckOptions, DryCall } from "./types.ts";

/**
 * The decision about a call, as a session with these options would come to it before anybody is asked. The tool does
 * not run.
 *
 * A call whose input does not fit the tool is a deny of type `invalid`.
 *
 * Rejects with a CastellanError `invalid_option` for a tool that does not exist, and `invalid_settings` or
 * `invalid_rule` for settings that stop a session.
 *
 * @example
 * const { behavior, message } = await check({ tool: "Bash", input: { command: "git push" } });
 */
export async function check(call: DryCall, options: CheckOptions = {}): Promise<Decision> {
  const wrong = dryCall(call);
  if (wrong !== undefined) throw faultError("", "call", wrong);
  const { catalogue, session } = await openCheck(options);
  const fix = toolNameFix(catalogue, call.tool);
  if (fix !== undefined) throw badOption("tool", `There is no tool ${JSON.stringify(call.tool)}.`, fix);
  const outcome = await session.decide(call);
  return outcome.ok ? outcome.decision : invalid(outcome.text);
}

/**
 * Why a call is decided as it is: at most 12 lines of at most 100 columns, with the part of the call, the rule, its
 * file and line, the step that settled it, and what would change it.
 *
 * Rejects as `check()` does.
 *
 * @example
 * console.log(await explain({ tool: "Bash", input: { command: "git push && rm -rf x" } }));
 */
export async function explain(call: DryCall, options: CheckOptions = {}): Promise<string> {
  return explainDecision(await check(call, options));
}

function invalid(text: string): Decision {
  return {
    behavior: "deny",
    message: text,
    reason: { type: "invalid", detail: text },
    hard: false,
    trace: [{ step: 0, check: "the input", outcome: "deny", detail: text }],
    suggestions: [],
  };
}
