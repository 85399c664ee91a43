import { type Declaration, inputOf, textOf } from "../declaration.ts";

/** Workflow: a small program that calls tools. Each of its calls is decided as well. */
export const WORKFLOW: Declaration = {
  name: "Workflow",
  source: "builtin",
  title: "Run a workflow",
  searchHint: "workflow script many tool calls",
  description: "Runs a small script that calls tools.",
  inputSchema: inputOf(
    {
      script: textOf("The script.", 200_000),
      args: { description: "What the script gets: any JSON value." },
    },
    ["script"],
  ),
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  summary: () => "a script",
};
