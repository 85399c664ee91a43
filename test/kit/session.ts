import { mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Options,
  query,
  type SDKAssistantMessage,
  type SDKMessage,
  type SDKResultMessage,
  type SDKToolResultBlock,
  type SDKUserMessageOut,
} from "@castellan/sdk";
import { assertComplete, type ScriptedModel, type ScriptStep, scriptedModel } from "@castellan/sdk/testing";
import { afterEach } from "vitest";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A new folder with links followed, removed after the test. */
export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "castellan-test-")));
  folders.push(folder);
  return folder;
}

/** What a session said, and what its model was asked. */
export interface Outcome {
  readonly messages: readonly SDKMessage[];
  readonly result: SDKResultMessage;
  readonly model: ScriptedModel;
  /** Result text of each call, in the order in which they finished. */
  readonly texts: readonly string[];
  readonly users: readonly SDKUserMessageOut[];
  readonly assistants: readonly SDKAssistantMessage[];
}

/** Runs a script to its result, in memory unless the options say otherwise; every call must have its one result. */
export async function run(
  turns: readonly ScriptStep[],
  options: Options = {},
  prompt = "go",
): Promise<Outcome> {
  const model = scriptedModel(turns);
  const messages: SDKMessage[] = [];
  for await (const message of query({
    prompt,
    options: {
      model,
      cwd: options.cwd ?? scratch(),
      ...(options.sessionStore === undefined ? { persistSession: false } : {}),
      ...options,
    },
  })) {
    messages.push(message);
  }
  assertComplete(messages);
  const result = messages.findLast((message) => message.type === "result");
  if (result?.type !== "result") throw new Error(`No result among ${messages.map((m) => m.type).join(", ")}`);
  const users = messages.filter((message) => message.type === "user");
  return {
    messages,
    result,
    model,
    users,
    assistants: messages.filter((message) => message.type === "assistant"),
    texts: users.map(resultText),
  };
}

/** The text of a tool result message. */
export function resultText(message: SDKUserMessageOut): string {
  const block = resultBlock(message);
  return typeof block.content === "string"
    ? block.content
    : block.content.map((each) => (each.type === "text" ? each.text : `[${each.type}]`)).join("\n");
}

/** The tool_result block of a message. */
export function resultBlock(message: SDKUserMessageOut | undefined): SDKToolResultBlock {
  const content = message?.message.content ?? "";
  const blocks = typeof content === "string" ? [] : content;
  const block = blocks.find((each) => each.type === "tool_result");
  if (block?.type !== "tool_result") throw new Error("No tool_result in this message.");
  return block;
}

/** One turn that calls one tool, and the end. */
export function once(name: string, input: Record<string, unknown> = {}): readonly ScriptStep[] {
  return [{ toolCalls: [{ name, input: input as never }] }, "done"];
}
