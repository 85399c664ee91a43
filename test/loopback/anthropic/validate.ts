import { type Complaint, first, isObject, type Loose, NAME, onlyKeys } from "../checks.ts";
import type { RecordedRequest } from "../script.ts";
import { checkBlock } from "./validate-block.ts";

const FIELDS = [
  ...[
    "model",
    "messages",
    "max_tokens",
    "system",
    "tools",
    "tool_choice",
    "stream",
    "thinking",
    "temperature",
  ],
  ...["top_p", "top_k", "stop_sequences", "metadata", "service_tier", "output_config"],
];

/** Why the Messages API would refuse this request. */
export function validateAnthropic({ body, headers }: Pick<RecordedRequest, "body" | "headers">): Complaint {
  if (headers["anthropic-version"] === undefined) return "anthropic-version: header is required";
  if (!isObject(body)) return "body: Input should be an object";
  return (
    onlyKeys("body", body, FIELDS) ??
    checkHead(body) ??
    checkTools(body.tools, String(headers["anthropic-beta"] ?? "")) ??
    checkMessages(body) ??
    checkMarks(body)
  );
}

function checkHead(body: Loose): Complaint {
  if (typeof body.model !== "string") return "model: Field required";
  if (!Number.isInteger(body.max_tokens) || Number(body.max_tokens) < 1) return "max_tokens: Field required";
  if (body.stream !== true) return "stream: this server only streams";
  const thinking = body.thinking;
  if (thinking !== undefined) {
    if (!isObject(thinking)) return "thinking: Input should be an object";
    if (thinking.type === "enabled") {
      const budget = Number(thinking.budget_tokens);
      if (!(budget >= 1024))
        return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
      if (budget >= Number(body.max_tokens))
        return "`max_tokens` must be greater than `thinking.budget_tokens`";
    } else if (thinking.type !== "adaptive" && thinking.type !== "disabled") return "thinking: unknown type";
  }
  if (body.system === undefined || typeof body.system === "string") return undefined;
  if (!Array.isArray(body.system)) return "system: Input should be a string or a list";
  return first(body.system, (block, i) => checkBlock(`system.${i}`, block, "system", ""));
}

function checkTools(tools: unknown, betas: string): Complaint {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools)) return "tools: Input should be a valid list";
  const names = new Set<unknown>();
  return first(tools, (tool, i) => {
    const keys = [
      "name",
      "description",
      "input_schema",
      "cache_control",
      "strict",
      "defer_loading",
      "eager_input_streaming",
      "type",
    ];
    const extra = onlyKeys(`tools.${i}`, tool, keys);
    if (extra !== undefined) return extra;
    if (!NAME.test(String(tool.name))) return `tools.${i}.name: String should match pattern '${NAME.source}'`;
    if (names.has(tool.name)) return "tools: Tool names must be unique.";
    names.add(tool.name);
    if (tool.defer_loading === true && !betas.includes("advanced-tool-use-2025-11-20")) {
      return `tools.${i}.defer_loading: Extra inputs are not permitted`;
    }
    return tool.input_schema?.type === "object" ? undefined : `tools.${i}.input_schema.type: Field required`;
  });
}

function checkMessages(body: Loose): Complaint {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0) return "messages: at least one message is required";
  let open = new Set<unknown>();
  const seen = new Set<unknown>();
  const complaint = first(messages, (message, i) => {
    const at = `messages.${i}`;
    const extra = onlyKeys(at, message, ["role", "content"]);
    if (extra !== undefined) return extra;
    if (message.role !== "user" && message.role !== "assistant")
      return `${at}.role: Input should be 'user' or 'assistant'`;
    if (message.role !== (i % 2 === 0 ? "user" : "assistant"))
      return "messages: roles must alternate between 'user' and 'assistant'";
    const blocks =
      typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
    if (!Array.isArray(blocks) || blocks.length === 0) return `${at}: content must be non-empty`;
    const bad = first(blocks, (block, j) =>
      checkBlock(`${at}.content.${j}`, block, message.role, String(body.model)),
    );
    if (bad !== undefined) return bad;
    if (message.role === "user") {
      const pairing = checkResults(at, blocks, open);
      open = new Set();
      return pairing;
    }
    return checkAssistant(at, blocks, seen, open);
  });
  if (complaint !== undefined) return complaint;
  if (messages.at(-1).role !== "user") return "messages: the conversation must end with a user message";
  return checkThinking(body, messages);
}

function checkResults(at: string, blocks: readonly Loose[], open: ReadonlySet<unknown>): Complaint {
  const results = blocks.filter((block) => block.type === "tool_result");
  if (!blocks.slice(0, results.length).every((block) => block.type === "tool_result")) {
    return `${at}: tool_result blocks must come first`;
  }
  const given = new Set(results.map((block) => block.tool_use_id));
  const stray = [...given].find((id) => !open.has(id));
  if (stray !== undefined)
    return `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}`;
  if (given.size !== results.length) return `${at}: each tool_use must have a single result`;
  const missing = [...open].find((id) => !given.has(id));
  return missing === undefined
    ? undefined
    : `${at}: \`tool_use\` ids were found without \`tool_result\` blocks: ${missing}`;
}

function checkAssistant(
  at: string,
  blocks: readonly Loose[],
  seen: Set<unknown>,
  open: Set<unknown>,
): Complaint {
  const last = blocks.at(-1);
  if (last?.type === "thinking" || last?.type === "redacted_thinking") {
    return `${at}: The final block in an assistant message cannot be \`thinking\`.`;
  }
  return first(blocks, (block) => {
    if (block.type !== "tool_use") return undefined;
    if (seen.has(block.id)) return `${at}: \`tool_use\` ids must be unique`;
    seen.add(block.id);
    open.add(block.id);
    return undefined;
  });
}

function checkThinking(
  body: Loose,
  messages: readonly { role: string; content: readonly Loose[] }[],
): Complaint {
  if (!isObject(body.thinking) || body.thinking.type !== "enabled") return undefined;
  const last = messages.findLast((message) => message.role === "assistant");
  if (last === undefined || !last.content.some((block) => block.type === "tool_use")) return undefined;
  const type = String(last.content[0]?.type);
  if (/thinking$/.test(type)) return undefined;
  return `messages: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block`;
}

function checkMarks(body: Loose): Complaint {
  const marks = JSON.stringify(body).match(/"cache_control":\{"type":"ephemeral"\}/g) ?? [];
  return marks.length <= 4
    ? undefined
    : `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`;
}
