import type {
  AssistantPart,
  JsonValue,
  Message,
  ReasoningPart,
  ResultPart,
  ToolResultPart,
} from "../../../protocol/index.ts";
import { fileForm, type LoadedFiles } from "../shared/files.ts";
import { ask, text, wireJson } from "../shared/json.ts";
import { type IdRule, NOTHING_SAID, wireId, wireName } from "../shared/wire-names.ts";

/** A content block of the Messages API. */
export type Block = { readonly type: string; readonly [key: string]: unknown };

/** One message, encoded: its blocks without the brackets, so that neighbours of one role can be joined. */
export interface EncodedMessage {
  readonly role: "user" | "assistant";
  /** Empty where nothing of the message can be sent. */
  readonly blocks: Buffer;
  /** An assistant's message that begins with a thinking block. */
  readonly thinks: boolean;
  readonly calls: boolean;
}

/** Who the history is for: thinking goes back to the model that it came from, and to no other. */
export interface MessageAudience extends IdRule {
  readonly provider: string;
  readonly model: string;
}

export function encodeMessage(
  message: Message,
  files: LoadedFiles,
  audience: MessageAudience,
): EncodedMessage {
  const blocks = blocksOf(message, files, audience);
  return {
    role: message.role === "assistant" ? "assistant" : "user",
    blocks: Buffer.from(blocks.map((block) => wireJson(block)).join(",")),
    thinks: /thinking$/.test(blocks[0]?.type ?? ""),
    calls: blocks.some((block) => block.type === "tool_use"),
  };
}

function blocksOf(message: Message, files: LoadedFiles, audience: MessageAudience): readonly Block[] {
  switch (message.role) {
    case "user": {
      const blocks = contentBlocks(message.parts, files);
      return blocks.length === 0 ? [{ type: "text", text: NOTHING_SAID }] : blocks;
    }
    case "assistant":
      return withoutLastThoughts(message.parts.flatMap((part) => assistantBlocks(part, audience)));
    case "tool": {
      // Every result stands before anything else, and a failed one may hold text only.
      const behind: Block[] = [];
      const results = message.parts.map((part) => resultBlock(part, files, audience, behind));
      return [...results, ...behind];
    }
  }
}

/** Blocks of text without a letter are refused. */
function contentBlocks(parts: readonly ResultPart[], files: LoadedFiles): readonly Block[] {
  return parts.flatMap((part): readonly Block[] => {
    if (part.type === "file") return [fileBlock(part, files)];
    const name = text(ask(part.meta?.anthropic, "toolReference"));
    if (name !== undefined) return [{ type: "tool_reference", tool_name: name }];
    return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
  });
}

function fileBlock(file: Extract<ResultPart, { type: "file" }>, files: LoadedFiles): Block {
  const shape = fileForm(file, files);
  if (shape.form === "text") return { type: "text", text: shape.text };
  const source =
    shape.source.kind === "url"
      ? { type: "url", url: shape.source.url }
      : { type: "base64", media_type: shape.mediaType, data: shape.source.data };
  return { type: shape.form === "image" ? "image" : "document", source };
}

function assistantBlocks(part: AssistantPart, audience: MessageAudience): readonly Block[] {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
    case "toolCall":
      return [
        {
          type: "tool_use",
          id: wireId(part.id, audience),
          name: wireName(part.name),
          input: asObject(part.input),
        },
      ];
    case "reasoning":
      return thinkingBlocks(part, audience);
  }
}

function asObject(input: JsonValue): JsonValue {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
}

function thinkingBlocks(part: ReasoningPart, { provider, model }: MessageAudience): readonly Block[] {
  const meta = part.meta?.[provider];
  if (text(ask(meta, "model")) !== model) return [];
  const redacted = text(ask(meta, "redacted"));
  if (redacted !== undefined) return [{ type: "redacted_thinking", data: redacted }];
  const signature = text(ask(meta, "signature"));
  return signature === undefined ? [] : [{ type: "thinking", thinking: part.text, signature }];
}

/** An answer that was interrupted may end in a thought; a message may not. */
function withoutLastThoughts(blocks: readonly Block[]): readonly Block[] {
  const last = blocks.findLastIndex((block) => !/thinking$/.test(block.type));
  return blocks.slice(0, last + 1);
}

function resultBlock(
  part: ToolResultPart,
  files: LoadedFiles,
  audience: MessageAudience,
  behind: Block[],
): Block {
  let content = contentBlocks(part.content, files);
  if (part.isError && content.some((block) => block.type !== "text")) {
    const moved = content.filter((block) => block.type !== "text");
    content = content.filter((block) => block.type === "text");
    behind.push({ type: "text", text: `From the failed call of ${part.name}:` }, ...moved);
  }
  if (content.length === 0) {
    content = [{ type: "text", text: part.isError ? "The tool failed." : "(no output)" }];
  }
  return {
    type: "tool_result",
    tool_use_id: wireId(part.callId, audience),
    content,
    ...(part.isError ? { is_error: true } : {}),
  };
}
