import { type Declaration, inputOf, textOf } from "../declaration.ts";

const domains = (description: string): object => ({
  type: "array",
  maxItems: 100,
  items: textOf("A domain.", 253),
  description,
});

/** WebSearch: what is searched for leaves the machine, so it is asked about. */
export const WEB_SEARCH: Declaration = {
  name: "WebSearch",
  source: "builtin",
  title: "Search the web",
  searchHint: "search web internet query results",
  description: "Searches the web.",
  inputSchema: inputOf(
    {
      query: textOf("What to search for."),
      allowed_domains: domains("Only results from these."),
      blocked_domains: domains("No results from these."),
    },
    ["query"],
  ),
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
  riskLevel: "medium",
  allowedInPlan: true,
  summary: (input) => String(input.query),
};
