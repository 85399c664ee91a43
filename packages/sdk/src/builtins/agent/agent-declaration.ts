import type { JsonObject } from "../../protocol/index.ts";
import { type Declaration, inputOf, textOf } from "../declaration.ts";

/** Agent: what runs inside is decided call by call, under the same ceiling, so the call itself needs no rule. */
export const AGENT: Declaration = {
  name: "Agent",
  source: "builtin",
  title: "Run a sub-agent",
  searchHint: "sub-agent delegate task worker",
  description: "Gives a piece of work to a sub-agent.",
  inputSchema: inputOf(
    {
      description: textOf("The work in a few words.", 200),
      prompt: textOf("The whole of the work.", 200_000),
      subagent_type: textOf("Which kind of agent. Default general-purpose.", 200),
      model: textOf("The model it uses.", 200),
      run_in_background: { type: "boolean", description: "Go on without waiting. Default false." },
      isolation: { type: "string", enum: ["worktree"], description: "Give it a copy of the repository." },
      name: textOf("A name by which it can be written to.", 200),
    },
    ["description", "prompt"],
  ),
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  targets: (input) => [{ kind: "agent", type: agentType(input) }],
  allowedInPlan: true,
  allowedByItself: true,
  summary: (input) => String(input.description),
};

/** The type that will run: rules `Agent(type)` are compared with it. */
export function agentType({ subagent_type: type }: JsonObject): string {
  return typeof type === "string" && type.trim() !== "" ? type.trim() : "general-purpose";
}
