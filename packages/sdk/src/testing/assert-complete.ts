import { AssertionError } from "node:assert";
import type { SDKMessage } from "../protocol/index.ts";

/**
 * Checks that every tool call of a run has exactly one result, behind it, and that every result has its call.
 *
 * @throws AssertionError that names each call.
 */
export function assertComplete(messages: Iterable<SDKMessage>): void {
  /** The calls that have no result yet, by id: a provider may begin its ids anew once they have one. */
  const open = new Map<string, string>();
  const answered = new Map<string, { readonly name: string; results: number }>();
  const faults: string[] = [];
  for (const message of messages) {
    if (message.type === "assistant") {
      for (const block of message.message.content) {
        if (block.type !== "tool_use") continue;
        if (open.has(block.id)) faults.push(`two calls have the id ${block.id}`);
        open.set(block.id, block.name);
      }
    } else if (message.type === "user" && typeof message.message.content !== "string") {
      for (const block of message.message.content) {
        if (block.type !== "tool_result") continue;
        const id = block.tool_use_id;
        const name = open.get(id);
        const before = answered.get(id);
        if (name !== undefined) {
          open.delete(id);
          tellMany(id, before, faults);
          answered.set(id, { name, results: 1 });
        } else if (before === undefined) faults.push(`a result has no call before it: ${id}`);
        else before.results += 1;
      }
    }
  }
  for (const [id, last] of answered) tellMany(id, last, faults);
  for (const [id, name] of open) faults.push(`${name} (${id}) has no result`);
  if (faults.length === 0) return;
  throw new AssertionError({
    message: `The run is not complete: ${faults.join("; ")}.`,
    operator: "assertComplete",
  });
}

function tellMany(
  id: string,
  call: { readonly name: string; readonly results: number } | undefined,
  faults: string[],
): void {
  if (call !== undefined && call.results > 1) faults.push(`${call.name} (${id}) has ${call.results} results`);
}
