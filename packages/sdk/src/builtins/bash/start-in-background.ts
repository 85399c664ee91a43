import type { BuiltinContext, JsonObject, ToolResult } from "../../protocol/index.ts";
import { failure, textResult } from "../results.ts";

/** Starts a line beside the conversation, in the directory in which it was judged. */
export async function startInBackground(
  input: JsonObject,
  context: BuiltinContext,
  cwd: string,
): Promise<ToolResult> {
  const { backgroundShells, checkpoints } = context.services;
  if (backgroundShells === undefined) {
    return failure("Nothing can run in the background here. Leave run_in_background out.");
  }
  if (context.signal.aborted) return failure("Interrupted before it was started.");
  const kept = await checkpoints?.beforeLine(context.toolUseId, context.targets);
  if (kept?.ok === false) return failure(kept.text);
  const line = kept?.line;
  const started = await backgroundShells.start({
    callId: context.toolUseId,
    line: String(input.command),
    cwd,
    ...(typeof input.description === "string" ? { description: input.description } : {}),
    ...(typeof input.timeout === "number" ? { timeoutMs: input.timeout } : {}),
    ...(line === undefined ? {} : { settle: () => line.settle() }),
  });
  if (!started.ok) {
    await line?.settle();
    return failure(started.text);
  }
  const { id, pid } = started.task;
  return textResult(
    `Started in the background as ${id}. BashOutput with bash_id "${id}" gives its output, KillShell ends it.`,
    { structuredContent: { backgroundTaskId: id, pid } },
  );
}
