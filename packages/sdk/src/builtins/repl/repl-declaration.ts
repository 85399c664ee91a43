import { type Declaration, inputOf, textOf } from "../declaration.ts";

/** REPL: runs code. Nothing in it can be compared with rules, so rules with a specifier bind every call. */
export const REPL: Declaration = {
  name: "REPL",
  source: "builtin",
  title: "Run code",
  searchHint: "repl run code script evaluate",
  description: "Runs a small script.",
  inputSchema: inputOf(
    {
      script: textOf("The script.", 200_000),
      args: { description: "What the script gets: any JSON value." },
    },
    ["script"],
  ),
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  preparePermissionMatcher: () => () => {
    throw new Error("A script cannot be compared with a rule.");
  },
  summary: () => "a script",
};
