import type {
  AssistantMessage,
  AssistantPart,
  FilePart,
  ProviderMeta,
  ResultPart,
  SDKContentBlock,
  SDKModelUsage,
  SDKToolResultBlock,
  SDKUsage,
  Usage,
} from "../protocol/index.ts";

type ResultBlock = Exclude<SDKToolResultBlock["content"], string>[number];

/** The blocks of an assistant message, in the shape of the Messages API. */
export function assistantContent(message: AssistantMessage): SDKContentBlock[] {
  return message.parts.map(assistantBlock);
}

function assistantBlock(part: AssistantPart): SDKContentBlock {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "toolCall":
      return { type: "tool_use", id: part.id, name: part.name, input: part.input };
    case "reasoning": {
      const signature = signatureIn(part.meta);
      return { type: "thinking", thinking: part.text, ...(signature === undefined ? {} : { signature }) };
    }
  }
}

function signatureIn(meta: ProviderMeta | undefined): string | undefined {
  const own = meta?.anthropic;
  if (typeof own !== "object" || own === null || Array.isArray(own)) return undefined;
  return typeof own.signature === "string" ? own.signature : undefined;
}

/** A result's content: plain text where it is one text, else its blocks. */
export function resultContent(parts: readonly ResultPart[]): SDKToolResultBlock["content"] {
  const [first, ...others] = parts;
  if (first === undefined) return "";
  if (first.type === "text" && others.length === 0) return first.text;
  return parts.map((part) => (part.type === "text" ? { type: "text", text: part.text } : fileBlock(part)));
}

/** Images that we hold or that have an address are shown; other files are named. The hash of a blob never leaves. */
export function fileBlock(part: FilePart): ResultBlock {
  const { ref, mediaType } = part;
  if (mediaType.startsWith("image/")) {
    if (ref.kind === "data") {
      return { type: "image", source: { type: "base64", media_type: mediaType, data: ref.base64 } };
    }
    if (ref.kind === "url") return { type: "image", source: { type: "url", url: ref.url } };
  }
  const name = part.name === undefined ? "" : ` ${part.name}`;
  const where = ref.kind === "url" ? ` at ${ref.url}` : "";
  const size = ref.kind === "artifact" ? `, ${ref.size} bytes` : "";
  return { type: "text", text: `[file${name}${where}: ${mediaType}${size}]` };
}

/** Token counts under the names of the Messages API. */
export function toSdkUsage(usage: Usage): SDKUsage {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
  };
}

/** Token counts of one model with what they cost, where that is known. */
export function modelUsageOf(usage: Usage, costUsd: number | undefined): SDKModelUsage {
  return { ...toSdkUsage(usage), ...(costUsd === undefined ? {} : { cost_usd: costUsd }) };
}

/** A stop reason under the name of the Messages API; null for none and for one that has no name there. */
export function stopReasonText(reason: string | undefined): string | null {
  if (reason === undefined || reason === "other") return null;
  return reason === "context_overflow" ? "model_context_window_exceeded" : reason;
}
