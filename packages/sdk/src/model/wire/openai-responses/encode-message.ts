import type {
  AssistantMessage,
  Message,
  ReasoningPart,
  ToolMessage,
  UserMessage,
} from "../../../protocol/index.ts";
import { type FileForm, fileForm, fileUrl, type LoadedFiles } from "../shared/files.ts";
import { ask, text, wireJson } from "../shared/json.ts";
import { splitResults } from "../shared/openai-results.ts";
import { type IdRule, NOTHING_SAID, wireId, wireName } from "../shared/wire-names.ts";

export interface ResponsesAudience extends IdRule {
  readonly provider: string;
  readonly model: string;
}

type Item = { readonly type: string; readonly [key: string]: unknown };

/** One message as the input items it comes to, joined by commas; empty where nothing can be sent. */
export function encodeMessage(message: Message, files: LoadedFiles, audience: ResponsesAudience): Buffer {
  const items = itemsOf(message, files, audience);
  return Buffer.from(items.map((item) => wireJson(item)).join(","));
}

function itemsOf(message: Message, files: LoadedFiles, audience: ResponsesAudience): readonly Item[] {
  switch (message.role) {
    case "user":
      return userItems(message, files);
    case "assistant":
      return assistantItems(message, audience);
    case "tool":
      return toolItems(message, files, audience);
  }
}

function userItems(message: UserMessage, files: LoadedFiles): readonly Item[] {
  const content = message.parts.flatMap((part) => {
    if (part.type === "text") return part.text === "" ? [] : [{ type: "input_text", text: part.text }];
    return [inputPart(fileForm(part, files), part.name)];
  });
  if (content.length === 0) content.push({ type: "input_text", text: NOTHING_SAID });
  return [{ type: "message", role: "user", content }];
}

function inputPart(shape: FileForm, name?: string): Item {
  if (shape.form === "text") return { type: "input_text", text: shape.text };
  const url = fileUrl(shape.mediaType, shape.source);
  if (shape.form === "image") return { type: "input_image", image_url: url, detail: "auto" };
  if (shape.source.kind === "url") return { type: "input_file", file_url: url };
  return { type: "input_file", filename: name ?? "document.pdf", file_data: url };
}

function assistantItems(message: AssistantMessage, audience: ResponsesAudience): readonly Item[] {
  const items: Item[] = [];
  for (const part of message.parts) {
    switch (part.type) {
      case "text":
        if (part.text !== "") {
          const content = [{ type: "output_text", text: part.text }];
          items.push({ type: "message", role: "assistant", content });
        }
        break;
      case "reasoning":
        items.push(...reasoningItem(part, audience));
        break;
      case "toolCall":
        items.push({
          type: "function_call",
          call_id: wireId(part.id, audience),
          name: wireName(part.name),
          arguments: wireJson(part.input),
        });
    }
  }
  // A reasoning item without the item that it led to is refused.
  const last = items.findLastIndex((item) => item.type !== "reasoning");
  return items.slice(0, last + 1);
}

/** Only the model that it came from can read encrypted reasoning. */
function reasoningItem(part: ReasoningPart, { provider, model }: ResponsesAudience): readonly Item[] {
  const meta = part.meta?.[provider];
  const id = text(ask(meta, "id"));
  const encrypted = text(ask(meta, "encrypted"));
  if (id === undefined || encrypted === undefined || ask(meta, "model") !== model) return [];
  const summary = part.text === "" ? [] : [{ type: "summary_text", text: part.text }];
  return [{ type: "reasoning", id, summary, encrypted_content: encrypted }];
}

function toolItems(message: ToolMessage, files: LoadedFiles, audience: ResponsesAudience): readonly Item[] {
  const { texts, files: shown } = splitResults(message, files);
  const results: Item[] = texts.map(({ part, text }) => ({
    type: "function_call_output",
    call_id: wireId(part.callId, audience),
    output: text,
  }));
  if (shown.length === 0) return results;
  const content = shown.flatMap(({ label, shape }) => [
    { type: "input_text", text: label },
    inputPart(shape),
  ]);
  return [...results, { type: "message", role: "user", content }];
}
