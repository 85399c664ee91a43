import { AssertionError } from "node:assert";
import type { SDKMessage } from "../protocol/index.ts";

/**
 * Checks that every tool call of a run has exactly one result, behind it, and that every result has its call.
 *
 * @throws AssertionError that names each call.
 */
export function assertComplete(messages: Iterable<SDKMessage>): void {
  const names = new Map<string, string>();
  const results = new Map<string, number>();
  const faults: string[] = [];
  for (const message of messages) {
    if (message.type === "assistant") {
      for (const block of message.message.content) {
        if (block.type !== "tool_use") continue;
        if (names.has(block.id)) faults.push(`two calls have the id ${block.id}`);
        names.set(block.id, block.name);
      }
    } else if (message.type === "user" && typeof message.message.content !== "string") {
      for (const block of message.message.content) {
        if (block.type !== "tool_result") continue;
        if (!names.has(block.tool_use_id))
          faults.push(`a result has no call before it: ${block.tool_use_id}`);
        results.set(block.tool_use_id, (results.get(block.tool_use_id) ?? 0) + 1);
      }
    }
  }
  for (const [id, name] of names) {
    const count = results.get(id) ?? 0;
    if (count !== 1) faults.push(`${name} (${id}) has ${count === 0 ? "no result" : `${count} results`}`);
  }
  if (faults.length === 0) return;
  throw new AssertionError({
    message: `The run is not complete: ${faults.join("; ")}.`,
    operator: "assertComplete",
  });
}
