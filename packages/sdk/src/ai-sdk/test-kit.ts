import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Loopback } from "../../../../test/loopback/index.ts";
import type { AiSdkModel, LanguageModel, ModelPart } from "../model/index.ts";

export const KINDS = ["anthropic", "chat", "responses", "compatible"] as const;
export type Kind = (typeof KINDS)[number];

/** A real provider's package, on its way to the loopback server. */
export function sdkModel(kind: Kind, { url, baseURL }: Pick<Loopback, "url" | "baseURL">): AiSdkModel {
  const settings = { baseURL, apiKey: "loopback-key" };
  switch (kind) {
    case "anthropic":
      return createAnthropic({ ...settings, baseURL: `${url}/v1` })("claude-opus-4-5");
    case "chat":
      return createOpenAI(settings).chat("gpt-4.1");
    case "responses":
      return createOpenAI(settings).responses("gpt-5.4");
    case "compatible":
      return createOpenAICompatible({ ...settings, name: "local", includeUsage: true })("qwen");
  }
}

/** A model made by hand that streams these parts. */
export function handMade(
  version: AiSdkModel["specificationVersion"],
  parts: readonly unknown[],
  more: {
    readonly provider?: string;
    readonly onCall?: (options: Call) => void;
    readonly hang?: boolean;
  } = {},
): AiSdkModel {
  return {
    specificationVersion: version,
    provider: more.provider ?? "made.by-hand",
    modelId: "m",
    doStream: async (options: Call) => {
      more.onCall?.(options);
      const stream = new ReadableStream<unknown>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          if (more.hang !== true) controller.close();
        },
      });
      return { stream };
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests reach into what three versions are asked with.
export type Call = any;

export interface Outcome {
  readonly text: string;
  readonly parts: readonly ModelPart[];
  readonly error: unknown;
}

/** Reads an answer to its end, whatever that is. */
export async function outcome(
  model: LanguageModel,
  request: Parameters<LanguageModel["stream"]>[0],
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
  const parts: ModelPart[] = [];
  let error: unknown;
  try {
    for await (const part of model.stream(request, { signal })) parts.push(part);
  } catch (thrown) {
    error = thrown;
  }
  const text = parts.map((part) => (part.type === "text" ? part.delta : "")).join("");
  return { text, parts, error };
}
