import {
  type Format,
  type Loopback,
  type LoopbackOptions,
  startLoopback,
} from "../../../../../test/loopback/index.ts";
import { nodePlatform, type Platform } from "../../platform/index.ts";
import type { Message, ToolMessage, UserMessage } from "../../protocol/index.ts";
import { createAccumulator } from "../accumulator.ts";
import type { Completion, LanguageModel, ModelRequest, StreamOptions } from "../port.ts";
import { resolveModel } from "../resolve.ts";

/** A name of a model in each format, as an option gives it. */
export const NAMES: Readonly<Record<Format, string>> = {
  anthropic: "anthropic/claude-opus-4-5",
  chat: "openai-chat/gpt-4.1",
  responses: "openai-responses/gpt-5.4",
};
export const FORMATS: readonly Format[] = ["anthropic", "chat", "responses"];

/** A pixel, for pictures that a validator takes. */
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const running: Loopback[] = [];

export async function loopback(
  turns: LoopbackOptions["turns"],
  more: Partial<LoopbackOptions> = {},
): Promise<Loopback> {
  const server = await startLoopback({ turns, ...more });
  running.push(server);
  return server;
}

/** For `afterEach`. */
export async function closeAll(): Promise<void> {
  await Promise.all(running.splice(0).map((server) => server.close()));
}

export function modelAt(
  server: Pick<Loopback, "env">,
  name: string,
  parts: { readonly platform?: Partial<Platform>; readonly env?: Record<string, string> } = {},
): Promise<LanguageModel> {
  const platform = { ...nodePlatform(), ...parts.platform };
  return resolveModel(name, { platform, cwd: "/", env: { ...server.env, ...parts.env } });
}

export function request(messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  return { system: ["You test."], tools: [], builtinTools: 0, messages, tail: [], ...more };
}

export function user(...parts: readonly (string | UserMessage["parts"][number])[]): UserMessage {
  return {
    role: "user",
    parts: parts.map((part) => (typeof part === "string" ? { type: "text", text: part } : part)),
  };
}

export function results(
  answer: Completion["message"],
  content: ToolMessage["parts"][number]["content"] | string,
  isError = false,
): ToolMessage {
  const parts = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
  return {
    role: "tool",
    parts: answer.parts.flatMap((part) =>
      part.type === "toolCall"
        ? [{ type: "toolResult", callId: part.id, name: part.name, content: parts, isError } as const]
        : [],
    ),
  };
}

/** Asks once and joins the answer, as the loop does. */
export async function ask(
  model: LanguageModel,
  asked: ModelRequest,
  options: Partial<StreamOptions> = {},
): Promise<Completion> {
  const accumulator = createAccumulator("msg_test");
  const stream = model.stream(asked, { signal: new AbortController().signal, ...options });
  for await (const part of stream) accumulator.push(part);
  const joined = accumulator.finish();
  if (!joined.ok) throw new Error(joined.message);
  return joined.completion;
}

export const TOOL = {
  name: "Read",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
} as const;
