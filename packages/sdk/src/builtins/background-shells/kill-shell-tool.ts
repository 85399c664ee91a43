import type { BuiltinContext, JsonObject, ToolDefinition, ToolResult } from "../../protocol/index.ts";
import { buildTool } from "../../tools/index.ts";
import { need } from "../deps.ts";
import { failure, textResult } from "../results.ts";
import { KILL_SHELL_PROMPT } from "./background-prompts.ts";
import { KILL_SHELL } from "./background-shell-declarations.ts";
import { statusWords } from "./task-words.ts";
import { unknownTask } from "./unknown-task.ts";

/** KillShell: ends a background command. */
export function killShellTool(): ToolDefinition {
  return buildTool({
    ...KILL_SHELL,
    prompt: () => KILL_SHELL_PROMPT,
    call: endShell,
  });
}

async function endShell(input: JsonObject, context: BuiltinContext): Promise<ToolResult> {
  const shells = need(context.services, "backgroundShells");
  const id = String(input.shell_id ?? input.task_id);
  const before = shells.get(id);
  if (before === undefined) return failure(unknownTask(id, shells.list()));
  if (before.status !== "running") return textResult(`${id} had ended before: ${statusWords(before)}.`);
  const after = (await shells.stop(id, "Ended by KillShell", true)) ?? before;
  return textResult(`${id}: ${statusWords(after)}.`, {
    structuredContent: { taskId: id, status: after.status, signal: after.signal ?? null },
  });
}
