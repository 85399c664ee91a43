import type {
  BuiltinContext,
  JsonObject,
  Message,
  ToolDefinition,
  ToolResult,
} from "../../protocol/index.ts";
import { buildTool } from "../../tools/index.ts";
import { need } from "../deps.ts";
import { failure, textResult } from "../results.ts";
import { RECALL_PROMPT } from "./prompt.ts";
import { RECALL } from "./recall-declaration.ts";
import { showMessage } from "./show-message.ts";

const DEFAULT_LIMIT = 20;
/** Characters of a whole result, and of one part where several messages are shown. */
const WHOLE = 30_000;
const PART = 3_000;

/** Recall: a slice of what was summed up. */
export function recallTool(): ToolDefinition {
  return buildTool({
    ...RECALL,
    prompt: () => RECALL_PROMPT,
    isConcurrencySafe: () => true,
    idempotent: true,
    allowedByItself: true,
    interruptBehavior: () => "cancel",
    userFacingName: () => "Recall",
    activity: () => "Looking back",
    call: recall,
  });
}

async function recall(input: JsonObject, context: BuiltinContext): Promise<ToolResult> {
  const history = need(context.services, "history");
  const total = history.total();
  if (total === 0) return textResult("Nothing was summed up: the whole conversation is before you.");
  const offset = Number(input.offset);
  const limit = Number(input.limit ?? DEFAULT_LIMIT);
  if (offset >= total) {
    return failure(
      `There are ${total} messages, with the numbers 0 to ${total - 1}. Give an offset among them.`,
    );
  }
  return textResult(show(await history.read(offset, limit), offset, total));
}

/** As many messages as there is room for, at least one. */
function show(messages: readonly Message[], offset: number, total: number): string {
  const lines: string[] = [];
  let left = WHOLE;
  for (const message of messages) {
    const text = showMessage(message, offset + lines.length, messages.length === 1 ? WHOLE : PART);
    if (lines.length > 0 && text.length > left) break;
    lines.push(text);
    left -= text.length;
  }
  const next = offset + lines.length;
  const end =
    next < total
      ? `[Messages ${offset} to ${next - 1} of ${total}. Go on with offset ${next}.]`
      : `[Messages ${offset} to ${next - 1} of ${total}: the last one that was summed up.]`;
  return [...lines, end].join("\n\n");
}
