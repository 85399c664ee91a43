import { type Declaration, inputOf, textOf } from "../declaration.ts";

/** ToolSearch: shows the model tools that the session has already. */
export const TOOL_SEARCH: Declaration = {
  name: "ToolSearch",
  source: "builtin",
  title: "Find tools",
  searchHint: "find load deferred tools by name",
  description: "Finds tools that are not shown yet.",
  inputSchema: inputOf(
    {
      query: textOf("`select:A,B`, or words to look for."),
      max_results: { type: "integer", minimum: 1, maximum: 100, description: "Default 5." },
    },
    ["query"],
  ),
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  targets: () => [],
  riskLevel: "low",
  allowedInPlan: true,
  allowedByItself: true,
  summary: (input) => String(input.query),
};
