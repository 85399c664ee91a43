import type { ToolDefinition } from "../../protocol/index.ts";
import { issuesText } from "../../schema/index.ts";
import type { NormalisedResult } from "./normalise-result.ts";

/**
 * Holds a successful result to its tool's `outputSchema`. One that lacks the structured part, or whose structured
 * part does not fit, becomes an error that says what is wrong; its texts stay.
 */
export function checkOutput(
  result: NormalisedResult,
  tool: Pick<ToolDefinition, "name" | "checkOutput">,
): NormalisedResult {
  if (tool.checkOutput === undefined || result.isError) return result;
  const fault = faultOf(result, tool.checkOutput, tool.name);
  if (fault === undefined) return result;
  const { structured: _, ...rest } = result;
  return { ...rest, isError: true, content: [{ type: "text", text: fault }, ...result.content] };
}

function faultOf(
  { structured }: NormalisedResult,
  check: NonNullable<ToolDefinition["checkOutput"]>,
  name: string,
): string | undefined {
  if (structured === undefined) {
    return `The result of ${name} has no structured part, but the tool has an outputSchema. Its handler must return structuredContent, or an object as output.`;
  }
  const issues = check(structured);
  if (issues.length === 0) return undefined;
  return `The structured result of ${name} does not fit its outputSchema:\n${issuesText(issues)}`;
}
