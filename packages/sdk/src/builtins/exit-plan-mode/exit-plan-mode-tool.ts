import type {
  BuiltinContext,
  CheckContext,
  JsonObject,
  JsonSchema,
  ToolDefinition,
  ToolResult,
  ValidationResult,
} from "../../protocol/index.ts";
import { buildTool } from "../../tools/index.ts";
import { need } from "../deps.ts";
import { failure, textResult } from "../results.ts";

const PROMPT = `Shows your plan to the user, who approves it or says what to change. An approved plan turns plan mode off.

- Use it in plan mode only, when the plan is complete. For a question about the task use AskUserQuestion.
- plan is the whole plan in Markdown: what changes where, in which order, and how it is checked.`;

const INPUT: JsonSchema = {
  type: "object",
  properties: {
    plan: { type: "string", minLength: 1, maxLength: 100_000, pattern: "\\S", description: "The plan." },
  },
  required: ["plan"],
  additionalProperties: false,
};

/** ExitPlanMode: whoever answers the permission question approves the plan. No mode, rule or hook does it instead. */
export function exitPlanModeTool(): ToolDefinition {
  return buildTool({
    name: "ExitPlanMode",
    source: "builtin",
    title: "Present the plan",
    searchHint: "plan mode finish approve present",
    description: "Shows the plan to the user and leaves plan mode.",
    prompt: () => PROMPT,
    inputSchema: INPUT,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    validateInput,
    requiresUserInteraction: () => true,
    targets: () => [],
    riskLevel: () => "low",
    allowedInPlan: true,
    userFacingName: () => "ExitPlanMode",
    describe: ({ plan }) => (typeof plan === "string" ? plan : "Present the plan"),
    summary: () => "the plan",
    activity: () => "Waiting for the plan to be approved",
    call: leave,
  });
}

/** Before anyone is asked. */
function validateInput(_input: JsonObject, { services }: CheckContext): ValidationResult {
  const mode = need(services, "planMode").mode();
  if (mode === "plan") return { ok: true };
  return { ok: false, message: `Plan mode is not on (the mode is ${mode}): go on with the work.` };
}

function leave(_input: JsonObject, { services }: BuiltinContext): ToolResult {
  const plan = need(services, "planMode");
  // Whoever approved may have set another mode with the answer: that one holds.
  const problem = plan.mode() === "plan" ? plan.leave() : undefined;
  if (problem !== undefined) return failure(problem);
  return textResult(
    `The user has approved the plan. Plan mode is off; the mode is ${plan.mode()}. Carry it out.`,
  );
}
