import type { CheckAnswer, JsonObject } from "../../protocol/index.ts";
import { type Declaration, inputOf, textOf } from "../declaration.ts";

/** Config: reads settings freely. A change may loosen what is asked about, so that question holds in every mode. */
export const CONFIG: Declaration = {
  name: "Config",
  source: "builtin",
  title: "Settings",
  searchHint: "settings configuration get set change",
  description: "Reads or changes a setting.",
  inputSchema: inputOf(
    {
      action: { type: "string", enum: ["list", "get", "set", "unset"], description: "What to do." },
      key: textOf("The setting, with dots between its parts.", 500),
      value: { description: "The new value: any JSON value." },
      scope: {
        type: "string",
        enum: ["session", "local", "project", "user"],
        description: "Where it is set.",
      },
    },
    ["action"],
  ),
  annotations: { destructiveHint: false, openWorldHint: false },
  validateInput: ({ action, key, value }) => {
    if (action !== "list" && key === undefined) return { ok: false, message: `${action} needs a key.` };
    if (action === "set" && value === undefined) return { ok: false, message: "set needs a value." };
    return { ok: true };
  },
  checkPermissions,
  targets: ({ key }) => [{ kind: "name", value: typeof key === "string" ? key.trim() : "Config" }],
  isReadOnly: reads,
  riskLevel: (input) => (reads(input) ? "low" : "high"),
  summary: (input) => `${input.action} ${input.key ?? ""}`.trim(),
};

function reads({ action }: JsonObject): boolean {
  return action === "get" || action === "list";
}

function checkPermissions(input: JsonObject): CheckAnswer {
  if (reads(input)) return { behavior: "allow", message: "Settings may be read." };
  return { behavior: "ask", message: `It changes the setting ${input.key}.`, kept: true };
}
