import type { ToolDefinition } from "../../protocol/index.ts";
import { buildTool } from "../../tools/index.ts";
import { type BuiltinDeps, need } from "../deps.ts";
import { textResult } from "../results.ts";
import { STRUCTURED_OUTPUT_PROMPT } from "./prompt.ts";

/** StructuredOutput: the answer of a session whose answer must be data. Its input schema is the session's own. */
export function structuredOutputTool({ services }: BuiltinDeps): ToolDefinition {
  return buildTool({
    name: "StructuredOutput",
    source: "builtin",
    title: "Give the answer",
    searchHint: "final answer structured data json",
    description: "Gives the final answer as data.",
    prompt: () => STRUCTURED_OUTPUT_PROMPT,
    inputSchema: need(services, "answer").schema,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    targets: () => [],
    riskLevel: () => "low",
    allowedInPlan: true,
    allowedByItself: true,
    idempotent: true,
    describe: () => "Give the final answer as data",
    activity: () => "Giving the answer",
    call: (input) => textResult("The answer is accepted.", { structuredContent: input }),
  });
}
