import type { JsonObject } from "../../protocol/index.ts";
import { type Declaration, inputOf, textOf } from "../declaration.ts";

/** Skill: only brings text to read; what comes of it is decided call by call. */
export const SKILL: Declaration = {
  name: "Skill",
  source: "builtin",
  title: "Use a skill",
  searchHint: "skill instructions slash command",
  description: "Loads the instructions of a skill.",
  inputSchema: inputOf(
    {
      skill: textOf("The name of the skill.", 200),
      args: { type: "string", maxLength: 100_000, description: "What it is to work on." },
    },
    ["skill"],
  ),
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  targets: (input) => [{ kind: "name", value: skillName(input) }],
  allowedInPlan: true,
  allowedByItself: true,
  summary: skillName,
};

/** The skill that will be loaded: rules `Skill(name)` are compared with it, so the tool must look up no other text. */
export function skillName({ skill }: JsonObject): string {
  return String(skill).trim().replace(/^\/+/u, "");
}
