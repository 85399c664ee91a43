import type { JsonObject, ResultPart } from "../protocol/index.ts";
import { isJsonObject } from "../schema/index.ts";

/** Bytes that a handler stored, by their hash, for as long as its call lasts. */
export type Stored = ReadonlyMap<string, Uint8Array>;

/** Every resource of the protocol has an address, though a handler need not give one. */
const NO_URI = "castellan:result";

/**
 * The content of a result as blocks of the protocol. A link and an embedded resource go out as the handler gave
 * them; everything else as it was read, so that a block that is none cannot break the client.
 */
export function servedContent(
  parts: readonly ResultPart[],
  raw: unknown,
  stored: Stored,
): readonly JsonObject[] {
  const given = isJsonObject(raw) && Array.isArray(raw.content) ? raw.content : [];
  return parts.map((part, index) => linkOf(given[index], part) ?? blockOf(part, stored));
}

/** The block that a part was read from, if it stands at the same place and names a resource. */
function linkOf(block: unknown, part: ResultPart): JsonObject | undefined {
  if (!isJsonObject(block)) return undefined;
  if (block.type === "resource_link") {
    const { uri, name, title, description, mimeType } = block;
    if (part.type !== "text" || typeof uri !== "string" || !part.text.includes(`URI: ${uri}`))
      return undefined;
    const texts = {
      name: typeof name === "string" && name !== "" ? name : uri,
      title,
      description,
      mimeType,
    };
    return { type: "resource_link", uri, ...onlyTexts(texts) };
  }
  if (block.type !== "resource" || !isJsonObject(block.resource)) return undefined;
  const { uri, text, mimeType } = block.resource;
  if (part.type !== "text" || part.text !== text) return undefined;
  const resource = { uri: typeof uri === "string" ? uri : NO_URI, ...onlyTexts({ mimeType }), text };
  return { type: "resource", resource };
}

function onlyTexts(fields: { readonly [key: string]: unknown }): { readonly [key: string]: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === "string")) as {
    [key: string]: string;
  };
}

function blockOf(part: ResultPart, stored: Stored): JsonObject {
  if (part.type === "text") return { type: "text", text: part.text };
  const { mediaType, ref, name } = part;
  const data = base64Of(ref, stored);
  if (data === undefined) return { type: "text", text: `[${name ?? "a file"}: ${mediaType}]` };
  if (mediaType.startsWith("image/")) return { type: "image", data, mimeType: mediaType };
  if (mediaType.startsWith("audio/")) return { type: "audio", data, mimeType: mediaType };
  return { type: "resource", resource: { uri: name ?? NO_URI, mimeType: mediaType, blob: data } };
}

function base64Of(ref: Extract<ResultPart, { type: "file" }>["ref"], stored: Stored): string | undefined {
  if (ref.kind === "data") return ref.base64;
  const bytes = ref.kind === "artifact" ? stored.get(ref.hash) : undefined;
  return bytes === undefined ? undefined : Buffer.from(bytes).toString("base64");
}
