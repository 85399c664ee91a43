import type {
  AssistantMessage,
  JsonValue,
  Message,
  ToolMessage,
  UserMessage,
} from "../../../protocol/index.ts";
import type { Dialect } from "../shared/endpoint.ts";
import { type FileForm, fileForm, fileUrl, type LoadedFiles } from "../shared/files.ts";
import { ask, list, text, wireJson } from "../shared/json.ts";
import { splitResults } from "../shared/openai-results.ts";
import { type IdRule, NOTHING_SAID, wireId, wireName } from "../shared/wire-names.ts";

export interface ChatAudience extends IdRule {
  readonly provider: string;
  readonly dialect: Dialect;
}

/** One message as the messages it comes to on the wire, joined by commas; empty where nothing can be sent. */
export function encodeMessage(message: Message, files: LoadedFiles, audience: ChatAudience): Buffer {
  const sent = wireMessages(message, files, audience);
  return Buffer.from(sent.map((item) => wireJson(item)).join(","));
}

function wireMessages(message: Message, files: LoadedFiles, audience: ChatAudience): readonly object[] {
  switch (message.role) {
    case "user":
      return userMessage(message, files, audience);
    case "assistant":
      return assistantMessage(message, audience);
    case "tool":
      return toolMessages(message, files, audience);
  }
}

function userMessage(message: UserMessage, files: LoadedFiles, audience: ChatAudience): readonly object[] {
  const content = message.parts.flatMap((part) => {
    if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text }];
    return [filePart(fileForm(part, files), part.name, audience.dialect)];
  });
  if (content.length === 0) return [{ role: "user", content: NOTHING_SAID }];
  // Plain text goes as text: some servers' templates read nothing else.
  const plain = content.every((part): part is { type: "text"; text: string } => part.type === "text");
  return [{ role: "user", content: plain ? content.map((part) => part.text).join("\n\n") : content }];
}

function filePart(
  shape: FileForm,
  name: string | undefined,
  dialect: Dialect,
): { readonly type: string; readonly [key: string]: unknown } {
  if (shape.form === "text") return { type: "text", text: shape.text };
  const url = fileUrl(shape.mediaType, shape.source);
  if (shape.form === "image") return { type: "image_url", image_url: { url } };
  if (!dialect.pdf || shape.source.kind === "url")
    return { type: "text", text: "[a PDF that this model cannot be shown]" };
  return { type: "file", file: { filename: name ?? "document.pdf", file_data: url } };
}

function assistantMessage(message: AssistantMessage, audience: ChatAudience): readonly object[] {
  const said: string[] = [];
  const calls: object[] = [];
  for (const part of message.parts) {
    if (part.type === "text") said.push(part.text);
    if (part.type === "toolCall") {
      const call = { name: wireName(part.name), arguments: wireJson(part.input) };
      calls.push({ id: wireId(part.id, audience), type: "function", function: call });
    }
  }
  const content = said.join("");
  if (content === "" && calls.length === 0) return [];
  return [
    {
      role: "assistant",
      content: content === "" ? null : content,
      ...thoughts(message, audience.provider),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}

/** Reasoning goes back in the field in which this provider gave it, and to no other provider. */
function thoughts(message: AssistantMessage, provider: string): { readonly [field: string]: unknown } {
  let field: string | undefined;
  const said: string[] = [];
  const details: JsonValue[] = [];
  for (const part of message.parts) {
    if (part.type !== "reasoning") continue;
    const meta = part.meta?.[provider];
    const own = text(ask(meta, "field"));
    if (own !== "reasoning_content" && own !== "reasoning") continue;
    field = own;
    said.push(part.text);
    details.push(...(list(ask(meta, "details")) as readonly JsonValue[]));
  }
  if (field === undefined) return {};
  return details.length > 0 ? { reasoning_details: details } : { [field]: said.join("\n") };
}

function toolMessages(message: ToolMessage, files: LoadedFiles, audience: ChatAudience): readonly object[] {
  const { texts, files: shown } = splitResults(message, files);
  const results = texts.map(({ part, text }) => ({
    role: "tool",
    tool_call_id: wireId(part.callId, audience),
    content: text,
  }));
  if (shown.length === 0) return results;
  const content = shown.flatMap(({ label, shape }) => [
    { type: "text", text: label },
    filePart(shape, undefined, audience.dialect),
  ]);
  return [...results, { role: "user", content }];
}
