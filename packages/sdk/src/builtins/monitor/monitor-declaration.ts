import { analyse, targetsOfLine } from "../../shell/index.ts";
import { isDestructiveLine, isReadOnlyLine } from "../bash/line-facts.ts";
import { type Declaration, inputOf, textOf } from "../declaration.ts";

/** Monitor: a command line like Bash's, bound by the same rules, whose output comes back line by line. */
export const MONITOR: Declaration = {
  name: "Monitor",
  source: "builtin",
  title: "Watch a command",
  searchHint: "watch follow command output lines background",
  description: "Runs a command line in the background and tells each line of its output.",
  inputSchema: inputOf(
    {
      command: { type: "string", description: "The command line to run." },
      description: textOf("What it watches, in a few words.", 500),
      timeout_ms: { type: "integer", minimum: 1, description: "Milliseconds until it is ended." },
    },
    ["command", "description"],
  ),
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  validateInput: (input) =>
    String(input.command).includes("\0")
      ? { ok: false, message: "The command holds a zero byte, which no command line can." }
      : { ok: true },
  targets: (input) => targetsOfLine(analyse(String(input.command))),
  isReadOnly: (input) => isReadOnlyLine(analyse(String(input.command))),
  isDestructive: (input) => isDestructiveLine(analyse(String(input.command))),
  isOpenWorld: (input) => analyse(String(input.command)).hosts.length > 0,
  isConcurrencySafe: () => false,
  summary: (input) => String(input.description),
};
