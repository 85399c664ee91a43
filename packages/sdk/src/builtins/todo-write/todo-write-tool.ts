import type { JsonObject, ToolDefinition, ValidationResult } from "../../protocol/index.ts";
import { buildTool } from "../../tools/index.ts";
import { TODO_WRITE_PROMPT } from "./prompt.ts";
import { itemsOf, writeTodos } from "./write-todos.ts";

const SCHEMA = {
  type: "object",
  properties: {
    todos: {
      type: "array",
      maxItems: 200,
      description: "The whole list, in order.",
      items: {
        type: "object",
        properties: {
          content: { type: "string", minLength: 1, maxLength: 2000, description: "What is to be done." },
          status: { type: "string", enum: ["pending", "in_progress", "completed"] },
          activeForm: {
            type: "string",
            minLength: 1,
            maxLength: 2000,
            description: "The same while it is being done.",
          },
        },
        required: ["content", "status", "activeForm"],
        additionalProperties: false,
      },
    },
  },
  required: ["todos"],
  additionalProperties: false,
} as const;

/** TodoWrite: the to-do list of the session. */
export function todoWriteTool(): ToolDefinition {
  return buildTool({
    name: "TodoWrite",
    source: "builtin",
    title: "Keep the to-do list",
    searchHint: "to-do task list plan progress",
    description: "Replaces the to-do list of the session.",
    prompt: () => TODO_WRITE_PROMPT,
    inputSchema: SCHEMA,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    validateInput,
    targets: () => [],
    riskLevel: () => "low",
    allowedInPlan: true,
    allowedByItself: true,
    idempotent: true,
    userFacingName: () => "TodoWrite",
    describe: (input) => `Update the to-do list (${itemsOf(input).length} items)`,
    summary: (input) => `${itemsOf(input).length} items`,
    activity: () => "Updating the to-do list",
    call: (input, context) => writeTodos(input, context),
  });
}

function validateInput(input: JsonObject): ValidationResult {
  const blank = itemsOf(input).findIndex(({ content, activeForm }) => !content.trim() || !activeForm.trim());
  return blank === -1
    ? { ok: true }
    : { ok: false, message: `todos[${blank}] has a blank content or activeForm: say what is to be done.` };
}
