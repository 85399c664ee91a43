import type {
  BuiltinContext,
  CheckAnswer,
  CheckContext,
  JsonObject,
  ToolDefinition,
  ToolResult,
} from "../../protocol/index.ts";
import { buildTool } from "../../tools/index.ts";
import { need } from "../deps.ts";
import { textResult } from "../results.ts";
import { SLEEP_PROMPT } from "./prompts.ts";
import { SLEEP } from "./timer-declarations.ts";
import { spanText } from "./timer-words.ts";

/** Sleep: rests on a timer that outlives this process. */
export function sleepTool(): ToolDefinition {
  return buildTool({
    ...SLEEP,
    prompt: () => SLEEP_PROMPT,
    // The same call again rests until the same moment.
    idempotent: true,
    interruptBehavior: () => "cancel",
    checkPermissions: goesOn,
    userFacingName: () => "Sleep",
    activity: () => "Waiting",
    call: sleep,
  });
}

/** Who may sleep may sleep on: a call that rested when an earlier run ended needs nobody's word once more. */
function goesOn(input: JsonObject, { services }: CheckContext): CheckAnswer {
  return { behavior: services.timers?.restsFor(millis(input)) === true ? "allow" : "passthrough" };
}

async function sleep(input: JsonObject, context: BuiltinContext): Promise<ToolResult> {
  const timers = need(context.services, "timers");
  const { kind, sleptMs, leftMs } = await timers.sleep(context.toolUseId, millis(input), context.signal);
  const slept = `Slept for ${spanText(sleptMs)}`;
  if (kind === "over") return textResult(`${slept}.`);
  const rest = `${spanText(leftMs)} before the end`;
  const why = kind === "news" ? "there is something to hear" : "the run was stopped";
  return textResult(`${slept}, and woke ${rest}: ${why}.`);
}

function millis(input: JsonObject): number {
  return Math.round(Number(input.seconds) * 1000);
}
