import type { ResultPart } from "../../protocol/index.ts";
import { cut } from "./cut.ts";

/** What one content block came to. */
export type BlockReading =
  | { readonly kind: "part"; readonly part: ResultPart }
  /** A kind that nobody knows. */
  | { readonly kind: "skipped"; readonly type: string }
  | { readonly kind: "fault"; readonly why: string };

type Fields = { readonly [key: string]: unknown };
type Reader = (block: Fields) => BlockReading | string;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["text", ({ text }) => (typeof text === "string" ? textPart(text) : "text must be a string")],
  ["image", (block) => readMedia(block, "image/")],
  ["audio", (block) => readMedia(block, "audio/")],
  ["resource_link", readLink],
  ["resource", readResource],
]);

/** The types of block that a result may hold. */
export const BLOCK_TYPES: readonly string[] = [...READERS.keys()];

/** Reads one content block of an MCP result. May throw what a getter of the block throws. */
export function readBlock(block: unknown): BlockReading {
  if (typeof block !== "object" || block === null || Array.isArray(block)) {
    const shown = typeof block === "string" ? `the text ${JSON.stringify(cut(block, 200))}` : kindOf(block);
    return { kind: "fault", why: `it is ${shown}, not an object such as { type: "text", text: "…" }` };
  }
  const { type } = block as Fields;
  if (typeof type !== "string")
    return { kind: "fault", why: `type must be one of ${BLOCK_TYPES.join(", ")}` };
  const reader = READERS.get(type);
  if (reader === undefined) return { kind: "skipped", type: cut(type, 60) };
  const reading = reader(block as Fields);
  return typeof reading === "string" ? { kind: "fault", why: `${type}: ${reading}` } : reading;
}

function textPart(text: string): BlockReading {
  return { kind: "part", part: { type: "text", text } };
}

function readMedia({ data, mimeType }: Fields, prefix: string): BlockReading | string {
  if (typeof mimeType !== "string" || !mimeType.startsWith(prefix))
    return `mimeType must begin with ${prefix}`;
  const base64 = readBase64(data);
  if (base64 === undefined) return "data must be base64 text, without a data: prefix";
  return { kind: "part", part: { type: "file", mediaType: mimeType, ref: { kind: "data", base64 } } };
}

function readBase64(data: unknown): string | undefined {
  if (typeof data !== "string") return undefined;
  const bare = /\s/.test(data) ? data.replace(/\s+/g, "") : data;
  return bare.length % 4 === 0 && BASE64.test(bare) ? bare : undefined;
}

function readLink({ uri, name, description }: Fields): BlockReading | string {
  if (typeof uri !== "string" || uri === "") return "uri must be a string";
  const lines = [
    `Resource: ${typeof name === "string" && name !== "" ? name : uri}`,
    `URI: ${uri}`,
    ...(typeof description === "string" && description !== "" ? [description] : []),
  ];
  return textPart(lines.join("\n"));
}

function readResource({ resource }: Fields): BlockReading | string {
  if (typeof resource !== "object" || resource === null) return "resource must be an object";
  const { uri, text, blob, mimeType } = resource as Fields;
  if (typeof text === "string") return textPart(text);
  const base64 = readBase64(blob);
  if (base64 === undefined) return "resource must have text, or a blob of base64 text";
  const mediaType = typeof mimeType === "string" && mimeType !== "" ? mimeType : "application/octet-stream";
  return {
    kind: "part",
    part: {
      type: "file",
      mediaType,
      ref: { kind: "data", base64 },
      ...(typeof uri === "string" && uri !== "" ? { name: uri } : {}),
    },
  };
}

/** What a value is, in words. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "undefined";
  if (Array.isArray(value)) return "an array";
  return `${/^[aeiou]/.test(typeof value) ? "an" : "a"} ${typeof value}`;
}
