import type {
  BuiltinContext,
  JsonObject,
  JsonSchema,
  ToolDefinition,
  ToolResult,
} from "../../protocol/index.ts";
import { buildTool } from "../../tools/index.ts";
import { need } from "../deps.ts";
import { failure, textResult } from "../results.ts";

const PROMPT = `Turns plan mode on: from then on only calls that read are let through.

- Use it before work that touches many places or can be done in several ways, to look around and make a plan first.
- Leave it for small, clear tasks.
- ExitPlanMode shows the plan to the user and turns plan mode off once it is approved.`;

const INPUT: JsonSchema = { type: "object", properties: {}, additionalProperties: false };

/** EnterPlanMode: only tightens, so nobody has to be asked. */
export function enterPlanModeTool(): ToolDefinition {
  return buildTool({
    name: "EnterPlanMode",
    source: "builtin",
    title: "Enter plan mode",
    searchHint: "plan mode read only think first",
    description: "Turns plan mode on.",
    prompt: () => PROMPT,
    inputSchema: INPUT,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    targets: () => [],
    riskLevel: () => "low",
    allowedInPlan: true,
    allowedByItself: true,
    idempotent: true,
    userFacingName: () => "EnterPlanMode",
    describe: () => "Turn plan mode on",
    summary: () => "plan mode on",
    activity: () => "Entering plan mode",
    call: enter,
  });
}

function enter(_input: JsonObject, { services }: BuiltinContext): ToolResult {
  const plan = need(services, "planMode");
  if (plan.mode() === "plan") return textResult("Plan mode is on already.");
  const problem = plan.enter();
  if (problem !== undefined) return failure(problem);
  return textResult("Plan mode is on. Look around, then present your plan with ExitPlanMode.");
}
