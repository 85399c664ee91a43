import { type Complaint, first, IMAGE_URL, isJson, isObject, type Loose, NAME, onlyKeys } from "../checks.ts";
import type { RecordedRequest } from "../script.ts";

const FIELDS = [
  ...["model", "messages", "stream", "stream_options", "tools", "tool_choice", "parallel_tool_calls"],
  ...["max_tokens", "max_completion_tokens", "temperature", "top_p", "stop", "seed", "user"],
  ...["reasoning_effort", "response_format"],
];

const MESSAGE_KEYS: Readonly<Record<string, readonly string[]>> = {
  system: ["role", "content", "name"],
  developer: ["role", "content", "name"],
  user: ["role", "content", "name"],
  assistant: [
    ...["role", "content", "name", "refusal", "tool_calls"],
    ...["reasoning_content", "reasoning", "reasoning_details"],
  ],
  tool: ["role", "content", "tool_call_id"],
};

/** Why a server of chat completions would refuse this request. */
export function validateChat({ body }: Pick<RecordedRequest, "body">): Complaint {
  if (!isObject(body)) return "We could not parse the JSON body of your request.";
  const extra = onlyKeys("body", body, FIELDS);
  if (extra !== undefined) return `Unrecognized request argument supplied: ${extra}`;
  if (typeof body.model !== "string") return "you must provide a model parameter";
  if (body.stream !== true) return "this server only streams";
  return checkTools(body.tools) ?? checkFormat(body.response_format) ?? checkMessages(body.messages);
}

function checkTools(tools: unknown): Complaint {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools) || tools.length === 0) return "[] is too short - 'tools'";
  return first(tools, (tool, i) => {
    if (tool.type !== "function") return `Invalid value: 'tools[${i}].type'`;
    const extra = onlyKeys(`tools[${i}].function`, tool.function, [
      "name",
      "description",
      "parameters",
      "strict",
    ]);
    if (extra !== undefined) return extra;
    if (!NAME.test(tool.function.name))
      return `Invalid 'tools[${i}].function.name': string does not match pattern`;
    return tool.function.parameters?.type === "object"
      ? undefined
      : `Invalid schema for function '${tool.function.name}'`;
  });
}

function checkFormat(format: unknown): Complaint {
  if (format === undefined) return undefined;
  if (!isObject(format) || format.type !== "json_schema") return "Invalid value: 'response_format.type'";
  const { json_schema: schema } = format;
  return isObject(schema) && NAME.test(String(schema.name))
    ? undefined
    : "Missing required parameter: 'response_format.json_schema.name'";
}

function checkMessages(messages: unknown): Complaint {
  if (!Array.isArray(messages) || messages.length === 0) return "[] is too short - 'messages'";
  let open = new Set<unknown>();
  const complaint = first(messages, (message: Loose, i) => {
    const at = `messages[${i}]`;
    const keys = MESSAGE_KEYS[String(message.role)];
    if (keys === undefined) return `Invalid value: '${message.role}' at '${at}.role'`;
    const extra = onlyKeys(at, message, keys);
    if (extra !== undefined) return extra;
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id)) {
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
      }
    } else if (open.size > 0) {
      return `An assistant message with 'tool_calls' must be followed by tool messages. Missing: ${[...open]}`;
    }
    if (message.role === "assistant") {
      open = new Set(calls(message).map((call) => call.id));
      return checkAssistant(at, message);
    }
    return checkContent(
      at,
      message.content,
      message.role === "user" ? ["text", "image_url", "file"] : ["text"],
    );
  });
  if (complaint !== undefined) return complaint;
  return open.size === 0
    ? undefined
    : "An assistant message with 'tool_calls' must be followed by tool messages.";
}

function calls(message: Loose): readonly Loose[] {
  return Array.isArray(message.tool_calls) ? message.tool_calls : [];
}

function checkAssistant(at: string, message: Loose): Complaint {
  if (message.tool_calls !== undefined && calls(message).length === 0)
    return `[] is too short - '${at}.tool_calls'`;
  if (calls(message).length === 0 && typeof message.content !== "string")
    return `Invalid value for 'content': expected a string, got null.`;
  return first(calls(message), (call, i) => {
    const where = `${at}.tool_calls[${i}]`;
    if (call.type !== "function" || !isObject(call.function))
      return `Missing required parameter: '${where}.function'`;
    if (typeof call.id !== "string" || call.id.length > 40) return `Invalid '${where}.id': string too long`;
    if (!NAME.test(String(call.function.name))) return `Invalid '${where}.function.name'`;
    return isJson(call.function.arguments) ? undefined : `Invalid '${where}.function.arguments': not JSON`;
  });
}

function checkContent(at: string, content: unknown, types: readonly string[]): Complaint {
  if (typeof content === "string") return undefined;
  if (!Array.isArray(content) || content.length === 0) return `Invalid type for '${at}.content'`;
  return first(content, (part: Loose, i) => {
    const type = String(part.type);
    if (!types.includes(type))
      return `Invalid value: '${type}' at '${at}.content[${i}]'. Supported values are: ${types}`;
    if (type === "text")
      return typeof part.text === "string" ? undefined : `Missing '${at}.content[${i}].text'`;
    if (type === "file") {
      const file = part.file;
      const isPdf = isObject(file) && String(file.file_data).startsWith("data:application/pdf;base64,");
      return isPdf && typeof file.filename === "string" ? undefined : `Invalid '${at}.content[${i}].file'`;
    }
    const url = isObject(part.image_url) ? String(part.image_url.url) : "";
    return IMAGE_URL.test(url) ? undefined : `Invalid image at '${at}.content[${i}]'`;
  });
}
