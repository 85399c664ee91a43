import { isHiddenBy } from "../anthropic/seal.ts";
import { type Complaint, first, IMAGE_URL, isJson, isObject, type Loose, NAME, onlyKeys } from "../checks.ts";
import type { RecordedRequest } from "../script.ts";

const FIELDS = [
  ...["model", "input", "instructions", "stream", "store", "tools", "tool_choice", "parallel_tool_calls"],
  ...["max_output_tokens", "reasoning", "include", "text", "temperature", "top_p", "metadata", "truncation"],
];

const ITEM_KEYS: Readonly<Record<string, readonly string[]>> = {
  message: ["type", "role", "content", "id", "status"],
  reasoning: ["type", "id", "summary", "content", "encrypted_content", "status"],
  function_call: ["type", "id", "call_id", "name", "arguments", "status"],
  function_call_output: ["type", "id", "call_id", "output", "status"],
};

const ROLE_PARTS: Readonly<Record<string, readonly string[]>> = {
  user: ["input_text", "input_image", "input_file"],
  assistant: ["output_text", "refusal"],
  system: ["input_text"],
  developer: ["input_text"],
};

/** Why the Responses API would refuse this request. */
export function validateResponses({ body }: Pick<RecordedRequest, "body">): Complaint {
  if (!isObject(body)) return "We could not parse the JSON body of your request.";
  const extra = onlyKeys("body", body, FIELDS);
  if (extra !== undefined) return `Unknown parameter: '${extra}'.`;
  if (typeof body.model !== "string") return "Missing required parameter: 'model'.";
  if (body.stream !== true) return "this server only streams";
  const reasons = /^(o\d|gpt-[5-9])/.test(body.model);
  if (!reasons && body.reasoning !== undefined)
    return "Unsupported parameter: 'reasoning' is not supported with this model.";
  if (!reasons && body.include !== undefined) return "Encrypted content is not supported with this model.";
  return checkTools(body.tools) ?? checkInput(body.input, body.model);
}

function checkTools(tools: unknown): Complaint {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools)) return "Invalid type for 'tools'";
  return first(tools, (tool, i) => {
    const extra = onlyKeys(`tools[${i}]`, tool, ["type", "name", "description", "parameters", "strict"]);
    if (extra !== undefined) return `Unknown parameter: '${extra}'`;
    if (tool.type !== "function" || !NAME.test(tool.name)) return `Invalid 'tools[${i}].name'`;
    if (tool.parameters?.type !== "object") return `Invalid schema for function '${tool.name}'`;
    // Absent counts as true.
    return tool.strict === false || tool.parameters.additionalProperties === false
      ? undefined
      : `Invalid schema for function '${tool.name}': 'additionalProperties' is required to be supplied and to be false.`;
  });
}

function checkInput(input: unknown, model: string): Complaint {
  if (!Array.isArray(input) || input.length === 0) return "Missing required parameter: 'input'.";
  const called = new Set<unknown>();
  const answered = new Set<unknown>();
  const complaint = first(input, (item: Loose, i) => {
    const at = `input[${i}]`;
    const type = typeOf(item);
    const keys = ITEM_KEYS[String(type)];
    if (keys === undefined) return `Invalid value: '${item.type}' at '${at}'`;
    const extra = onlyKeys(at, item, keys);
    if (extra !== undefined) return `Unknown parameter: '${extra}'`;
    switch (type) {
      case "message":
        return checkMessage(at, item);
      case "reasoning": {
        const next = (input[i + 1] ?? {}) as Loose;
        const leads =
          ["message", "function_call", "reasoning"].includes(String(typeOf(next))) && next.role !== "user";
        if (!leads)
          return `Item '${item.id}' of type 'reasoning' was provided without its required following item.`;
        if (typeof item.id !== "string" || !Array.isArray(item.summary)) return `Missing '${at}.summary'`;
        return isHiddenBy(model, item.encrypted_content)
          ? undefined
          : "The encrypted content could not be verified (invalid_encrypted_content).";
      }
      case "function_call":
        called.add(item.call_id);
        if (String(item.call_id).length > 64 || !NAME.test(String(item.name))) return `Invalid '${at}'`;
        return isJson(item.arguments) ? undefined : `Invalid '${at}.arguments'`;
      default:
        if (!called.has(item.call_id))
          return `No tool call found for function call output with call_id ${item.call_id}.`;
        answered.add(item.call_id);
        return typeof item.output === "string" ? undefined : `Invalid type for '${at}.output'`;
    }
  });
  if (complaint !== undefined) return complaint;
  const missing = [...called].find((id) => !answered.has(id));
  return missing === undefined ? undefined : `No tool output found for function call ${missing}.`;
}

/** A message may leave its type out. */
function typeOf(item: Loose): unknown {
  return item.type ?? (item.role === undefined ? undefined : "message");
}

function checkMessage(at: string, item: Loose): Complaint {
  const types = ROLE_PARTS[String(item.role)];
  if (types === undefined) return `Invalid value: '${item.role}' at '${at}.role'`;
  if (typeof item.content === "string" && item.content !== "") return undefined;
  if (!Array.isArray(item.content) || item.content.length === 0) return `Invalid '${at}.content'`;
  return first(item.content, (part: Loose, i) => {
    if (!types.includes(String(part.type))) return `Invalid value: '${part.type}' at '${at}.content[${i}]'`;
    if (part.type !== "input_image") return undefined;
    return IMAGE_URL.test(String(part.image_url)) ? undefined : `Invalid '${at}.content[${i}].image_url'`;
  });
}
