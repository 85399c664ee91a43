import { type Declaration, inputOf } from "../declaration.ts";

/** Recall: what this session has said before, and nothing else. */
export const RECALL: Declaration = {
  name: "Recall",
  source: "builtin",
  title: "Look back",
  searchHint: "recall earlier history compacted conversation",
  description: "Shows a slice of the history that was summed up.",
  inputSchema: inputOf(
    {
      offset: { type: "integer", minimum: 0, description: "The first message." },
      limit: { type: "integer", minimum: 1, maximum: 1000, description: "How many." },
    },
    ["offset"],
  ),
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  targets: () => [],
  riskLevel: "low",
  summary: (input) => `from ${Number(input.offset ?? 0)}`,
};
