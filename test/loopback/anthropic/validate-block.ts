import { type Complaint, first, isObject, type Loose, onlyKeys } from "../checks.ts";
import { isHiddenBy, seal } from "./seal.ts";

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  system: ["text"],
  user: ["text", "image", "document", "tool_result"],
  assistant: ["text", "thinking", "redacted_thinking", "tool_use"],
  tool_result: ["text", "image", "document", "tool_reference"],
};

const KEYS: Readonly<Record<string, readonly string[]>> = {
  text: ["type", "text", "cache_control", "citations"],
  image: ["type", "source", "cache_control"],
  document: ["type", "source", "title", "context", "citations", "cache_control"],
  tool_result: ["type", "tool_use_id", "content", "is_error", "cache_control"],
  tool_use: ["type", "id", "name", "input", "cache_control"],
  thinking: ["type", "thinking", "signature"],
  redacted_thinking: ["type", "data"],
  tool_reference: ["type", "tool_name"],
};

/** Why a content block would be refused in this place. `model`: whose thoughts are taken back. */
export function checkBlock(at: string, block: unknown, place: string, model: string): Complaint {
  if (!isObject(block)) return `${at}: Input should be an object`;
  const type = String(block.type);
  if (!ALLOWED[place]?.includes(type)) return `${at}: Input tag '${type}' is not allowed in ${place}`;
  return onlyKeys(at, block, KEYS[type] ?? []) ?? checkFields(at, block, type, model);
}

function checkFields(at: string, block: Loose, type: string, model: string): Complaint {
  switch (type) {
    case "text":
      if (typeof block.text !== "string") return `${at}.text: Input should be a valid string`;
      return block.text.trim() === ""
        ? `${at}: text content blocks must contain non-whitespace text`
        : undefined;
    case "image":
      return checkSource(at, block.source, /^image\/(png|jpeg|gif|webp)$/);
    case "document":
      return checkSource(at, block.source, /^application\/pdf$/);
    case "tool_use":
      if (!/^[a-zA-Z0-9_-]+$/.test(String(block.id)))
        return `${at}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
      if (!/^[a-zA-Z0-9_-]{1,200}$/.test(String(block.name)))
        return `${at}.name: String should match pattern`;
      return isObject(block.input) ? undefined : `${at}.input: Input should be a valid dictionary`;
    case "tool_result":
      return checkResult(at, block);
    case "thinking":
      if (block.signature === seal(model, String(block.thinking))) return undefined;
      return `${at}: Invalid \`signature\` in \`thinking\` block`;
    case "redacted_thinking":
      return isHiddenBy(model, block.data)
        ? undefined
        : `${at}: Invalid \`data\` in \`redacted_thinking\` block`;
    default:
      return undefined;
  }
}

function checkResult(at: string, block: Loose): Complaint {
  const { content } = block;
  if (content === undefined || typeof content === "string") return undefined;
  if (!Array.isArray(content)) return `${at}.content: Input should be a string or a list`;
  const bad = first(content, (item, i) => checkBlock(`${at}.content.${i}`, item, "tool_result", ""));
  if (bad !== undefined) return bad;
  if (block.is_error !== true) return undefined;
  const texts = content.length > 0 && content.every((item) => item.type === "text");
  return texts ? undefined : `${at}: all content must be type \`text\` if \`is_error\` is true`;
}

function checkSource(at: string, source: unknown, types: RegExp): Complaint {
  if (!isObject(source)) return `${at}.source: Field required`;
  if (source.type === "url")
    return /^https?:/.test(String(source.url)) ? undefined : `${at}.source.url: invalid`;
  if (source.type !== "base64") return `${at}.source.type: Input should be 'base64' or 'url'`;
  if (!types.test(String(source.media_type)))
    return `${at}.source.media_type: Input should be one of ${types.source}`;
  const isBase64 = /^[A-Za-z0-9+/]+=*$/.test(String(source.data));
  return isBase64 ? undefined : `${at}.source.data: Input should be base64`;
}
