import {
  type FileForm,
  fileForm,
  type IdRule,
  type LoadedFiles,
  NOTHING_SAID,
  splitResults,
  wireId,
  wireName,
} from "../model/index.ts";
import type {
  AssistantPart,
  FilePart,
  JsonObject,
  JsonValue,
  Message,
  ProviderMeta,
  ToolMessage,
  ToolResultPart,
  UserPart,
} from "../protocol/index.ts";
import { type ByProvider, isAnthropic, type PromptMessage, type Version } from "./call-options.ts";

/** Whom the history is for. What another model left in `meta` is not sent to it. */
export interface Audience extends IdRule {
  readonly version: Version;
  readonly provider: string;
  readonly modelId: string;
  /** Key of `meta`. */
  readonly meta: string;
  /** The model fetches such an address itself. */
  takesUrl(mediaType: string, url: string): boolean;
}

type Content = { readonly type: string; readonly [key: string]: unknown };

/** One message of the session as messages of a prompt; none where nothing of it can be sent. */
export function encodeMessage(
  message: Message,
  files: LoadedFiles,
  audience: Audience,
): readonly PromptMessage[] {
  switch (message.role) {
    case "user": {
      const content = userContent(message.parts, files, audience);
      return [
        { role: "user", content: content.length === 0 ? [{ type: "text", text: NOTHING_SAID }] : content },
      ];
    }
    case "assistant":
      return holding("assistant", assistantContent(message.parts, audience));
    case "tool":
      return isAnthropic(audience.provider)
        ? resultsWithFiles(message, files, audience)
        : resultsAsText(message, files, audience);
  }
}

function holding(role: "user" | "assistant", content: readonly Content[]): readonly PromptMessage[] {
  return content.length === 0 ? [] : [{ role, content }];
}

function userContent(parts: readonly UserPart[], files: LoadedFiles, audience: Audience): readonly Content[] {
  return parts.flatMap((part): readonly Content[] => {
    if (part.type === "file") return [fileContent(part, files, audience)];
    return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
  });
}

function fileContent(file: FilePart, files: LoadedFiles, audience: Audience): Content {
  return shapeContent(fileForm(file, files), audience, file.name);
}

function shapeContent(shape: FileForm, audience: Audience, name?: string): Content {
  if (shape.form === "text") return { type: "text", text: shape.text };
  const { source, mediaType } = shape;
  const named = name === undefined ? {} : { filename: name };
  if (source.kind === "base64") {
    const data = audience.version === "v4" ? { type: "data", data: source.data } : source.data;
    return { type: "file", mediaType, data, ...named };
  }
  if (!audience.takesUrl(mediaType, source.url)) {
    return { type: "text", text: `[file of type ${mediaType}: ${source.url}]` };
  }
  const url = new URL(source.url);
  return { type: "file", mediaType, data: audience.version === "v4" ? { type: "url", url } : url, ...named };
}

/** An answer that was interrupted may end in a thought; a message may not. */
function assistantContent(parts: readonly AssistantPart[], audience: Audience): readonly Content[] {
  const content = parts.flatMap((part) => assistantPart(part, audience));
  return content.slice(0, content.findLastIndex((part) => part.type !== "reasoning") + 1);
}

function assistantPart(part: AssistantPart, audience: Audience): readonly Content[] {
  const own = ownMeta(part.meta, audience);
  const options = own?.metadata === undefined ? {} : { providerOptions: own.metadata };
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [{ type: "text", text: part.text, ...options }];
    case "reasoning":
      // A thought goes back to the model that it came from, and to no other.
      return own === undefined ? [] : [{ type: "reasoning", text: part.text, ...options }];
    case "toolCall":
      return [
        {
          type: "tool-call",
          toolCallId: wireId(part.id, audience),
          toolName: wireName(part.name),
          input: isObject(part.input) ? part.input : {},
          ...options,
        },
      ];
  }
}

function ownMeta(
  meta: ProviderMeta | undefined,
  { meta: key, modelId }: Audience,
): { readonly metadata: ByProvider | undefined } | undefined {
  const own = meta !== undefined && Object.hasOwn(meta, key) ? meta[key] : undefined;
  if (!isObject(own) || own.model !== modelId) return undefined;
  return { metadata: isObject(own.metadata) ? (own.metadata as ByProvider) : undefined };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function resultPart({ callId, name }: ToolResultPart, output: object, audience: Audience): Content {
  return { type: "tool-result", toolCallId: wireId(callId, audience), toolName: wireName(name), output };
}

/** Providers without files in results turn them into text by the megabyte: they follow in a message of the user. */
function resultsAsText(message: ToolMessage, loaded: LoadedFiles, audience: Audience): PromptMessage[] {
  const { texts, files } = splitResults(message, loaded);
  const content = texts.map(({ part, text }) =>
    resultPart(part, { type: part.isError ? "error-text" : "text", value: text }, audience),
  );
  const behind = files.flatMap(({ label, shape }) => [
    { type: "text", text: label },
    shapeContent(shape, audience),
  ]);
  return [{ role: "tool", content }, ...holding("user", behind)];
}

function resultsWithFiles(message: ToolMessage, loaded: LoadedFiles, audience: Audience): PromptMessage[] {
  const behind: Content[] = [];
  const content = message.parts.map((part) => {
    const shown = userContent(part.content, loaded, audience);
    const stays = (item: Content): boolean =>
      item.type === "text" || (!part.isError && !(item.data instanceof URL) && !isUrl(item.data));
    const moved = shown.filter((item) => !stays(item));
    if (moved.length > 0) behind.push({ type: "text", text: `From the call of ${part.name}:` }, ...moved);
    return resultPart(part, resultOutput(part, shown.filter(stays), audience.version), audience);
  });
  return [{ role: "tool", content }, ...holding("user", behind)];
}

function isUrl(data: unknown): boolean {
  return (data as { readonly type?: unknown } | undefined)?.type === "url";
}

function resultOutput(part: ToolResultPart, content: readonly Content[], version: Version): object {
  const text = content.map((item) => item.text).join("\n");
  if (part.isError) return { type: "error-text", value: text === "" ? "The tool failed." : text };
  if (content.length === 0) return { type: "text", value: "(no output)" };
  if (content.every((item) => item.type === "text")) return { type: "text", value: text };
  return {
    type: "content",
    value: content.map((item) => (item.type === "text" ? item : resultFile(item, version))),
  };
}

function resultFile(file: Content, version: Version): Content {
  if (version === "v4") return file;
  if (version === "v2") return { type: "media", data: file.data, mediaType: file.mediaType };
  const isImage = String(file.mediaType).startsWith("image/");
  return { ...file, type: isImage ? "image-data" : "file-data" };
}
