import {
  CastellanError,
  type JsonObject,
  type JsonSchema,
  type ToolAnnotations,
  type ToolDefinition,
} from "../protocol/index.ts";
import { compileSchema, isJsonObject } from "../schema/index.ts";
import { buildTool, copyJson, cutAt } from "../tools/index.ts";
import type { McpClient } from "./client.ts";

/** Descriptions are data of somebody else. */
const MOST_CHARACTERS = 10_000;

/** Which server a listed tool is of, and what the model calls it. */
export interface ListedPlace {
  readonly key: string;
  readonly name: string;
  readonly toolName: string;
  readonly client: McpClient;
}

/**
 * A tool as a server lists it, as a definition of ours. Its schema stands before the model as the server gave it,
 * unless no provider would take its root; every call is validated before it is sent.
 *
 * @throws CastellanError `invalid_tool` or `invalid_schema` for a listing that makes no tool.
 */
export function listedTool(listed: JsonObject, { key, name, toolName, client }: ListedPlace): ToolDefinition {
  const given = readSchema(listed.inputSchema, name);
  const compiled = compileSchema(given, { tool: name });
  const annotations = readAnnotations(listed.annotations);
  const meta = isJsonObject(listed._meta) ? listed._meta : {};
  const title = textOf(listed.title);
  const searchHint = textOf(meta["anthropic/searchHint"]);
  const limit = meta["anthropic/maxResultSizeChars"];
  const { readOnlyHint = false, destructiveHint = !readOnlyHint, openWorldHint = true } = annotations;
  const built = buildTool({
    name,
    description: textOf(listed.description) ?? `The tool ${toolName} of the server ${key}.`,
    inputSchema: given,
    source: "mcp",
    mcpInfo: { serverName: key, toolName },
    annotations,
    ...(title === undefined ? {} : { title }),
    ...(searchHint === undefined ? {} : { searchHint }),
    ...(Number.isSafeInteger(limit) && (limit as number) > 0 ? { maxResultSizeChars: limit as number } : {}),
    alwaysLoad: meta["anthropic/alwaysLoad"] === true,
    isDestructive: () => destructiveHint,
    isOpenWorld: () => openWorldHint,
    targets: () => [{ kind: "mcp", server: key, tool: toolName }],
    async call(input, context, onProgress) {
      return client.request(
        "tools/call",
        { name: toolName, arguments: input as JsonObject },
        { signal: context.signal, onProgress: (params) => onProgress(progressOf(params)) },
      );
    },
  });
  return Object.freeze({ ...built, inputSchema: isPlainRoot(given) ? given : compiled.jsonSchema });
}

function readSchema(schema: unknown, tool: string): JsonSchema & JsonObject {
  const copied = copyJson(schema ?? { type: "object", properties: {} });
  if (copied.ok && isJsonObject(copied.value)) {
    const value = copied.value as JsonObject;
    // Servers without parameters often say no more than that their input is an object.
    return value.type === "object" && value.properties === undefined ? { ...value, properties: {} } : value;
  }
  throw new CastellanError("invalid_schema", `Tool "${tool}", inputSchema: it is no JSON object.`, {
    subject: tool,
  });
}

/** Whether every provider takes the root as it is. */
function isPlainRoot(schema: JsonObject): boolean {
  const refused = ["oneOf", "anyOf", "allOf", "not", "enum", "$ref"];
  return schema.type === "object" && !refused.some((keyword) => Object.hasOwn(schema, keyword));
}

function readAnnotations(given: unknown): ToolAnnotations {
  if (!isJsonObject(given)) return {};
  const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;
  const title = textOf(given.title);
  return {
    ...(title === undefined ? {} : { title }),
    ...Object.fromEntries(
      hints.filter((hint) => typeof given[hint] === "boolean").map((hint) => [hint, given[hint]]),
    ),
  };
}

/** Without control characters, and not without end. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
  const plain = value.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "").trim();
  return plain === "" ? undefined : cutAt(plain, MOST_CHARACTERS);
}

function progressOf({ progress, total, message }: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries({ progress, total, message }).filter(
      ([, value]) => typeof value === "number" || typeof value === "string",
    ),
  ) as JsonObject;
}
