import { type Clock, waitFor } from "../platform/index.ts";
import type { JsonObject, ToolDefinition } from "../protocol/index.ts";
import { isJsonObject, issuesText } from "../schema/index.ts";
import { checkOutput, normaliseResult, normaliseThrow } from "../tools/index.ts";
import { servedContent } from "./served-content.ts";
import type { ServedCall } from "./served-context.ts";

/** Validates, runs the handler, and gives a result of the protocol. Never rejects. */
export async function serveCall(
  tool: ToolDefinition,
  given: unknown,
  call: ServedCall,
  clock: Clock,
): Promise<object> {
  const refused = failed(`The tool ${tool.name} is denied by its own policy.`);
  if (tool.permissionPolicy === "always_deny") return refused;
  try {
    const parsed = await tool.parseInput(given ?? {});
    if (!parsed.ok) return failed(`The input of ${tool.name} is not valid:\n${issuesText(parsed.issues)}`);
    const { cwd, sessionId, signal, services } = call.context;
    const valid = await tool.validateInput(parsed.input, { cwd, sessionId, signal, services });
    if (!valid.ok) return failed(`${tool.name} refuses this input: ${valid.message}`);
    const raw = await inTime(tool, parsed.input, call, clock);
    return resultOf(raw, tool, call);
  } catch (error) {
    return { content: servedContent(normaliseThrow(error).content, undefined, call.stored), isError: true };
  }
}

function resultOf(raw: unknown, tool: ToolDefinition, { stored }: ServedCall): object {
  const { content, isError, structured } = checkOutput(normaliseResult(raw, tool), tool);
  return {
    content: servedContent(content, raw, stored),
    ...(isJsonObject(structured) ? { structuredContent: structured } : {}),
    ...(isError ? { isError } : {}),
  };
}

/**
 * Waits for the handler as long as the tool allows; then its signal fires, and the call fails. What is cancelled or
 * closed is waited for no longer: nobody gets its answer.
 */
function inTime(tool: ToolDefinition, input: JsonObject, call: ServedCall, clock: Clock): Promise<unknown> {
  const { name, timeoutMs } = tool;
  const { context } = call;
  const run = async (): Promise<unknown> => tool.call(input, context, context.progress);
  const passed = (): Error => {
    call.stop("timeout");
    return new Error(`${name} took longer than ${timeoutMs} ms and was stopped.`);
  };
  return waitFor(run(), {
    signal: context.signal,
    aborted: () => new Error(`The call of ${name} was stopped.`),
    limit: timeoutMs === undefined ? undefined : { ms: timeoutMs, clock, passed },
  });
}

function failed(text: string): object {
  return { content: [{ type: "text", text }], isError: true };
}
