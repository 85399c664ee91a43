import { CastellanError, type McpTransport } from "../../protocol/index.ts";
import { nearestName } from "../../schema/index.ts";
import { definitionOf } from "../brand.ts";
import type { AnyTool } from "../types.ts";
import { markServer } from "./brand.ts";
import type { SdkMcpServer, SdkMcpServerInstance, SdkMcpServerOptions } from "./types.ts";

type Rule = readonly [test: (value: unknown) => boolean, wants: string];

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
const isFlag = (value: unknown): boolean => typeof value === "boolean";

const FIELDS: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["name", [isText, "a text that is not blank"]],
  ["version", [isText, "a text that is not blank"]],
  ["instructions", [(value) => typeof value === "string", "a text"]],
  ["tools", [Array.isArray, "a list of what tool() made"]],
  ["alwaysLoad", [isFlag, "true or false"]],
  [
    "timeout",
    [
      (value) => Number.isSafeInteger(value) && (value as number) > 0,
      "a whole number of milliseconds from 1 on",
    ],
  ],
  ["prefix", [isFlag, "true or false"]],
]);

/**
 * Bundles tools into a server, as plain data.
 *
 * @param serve serves an instance over a transport; it is called for nothing else.
 * @throws CastellanError `invalid_option` for a field, `invalid_tool` for an item that is no tool,
 * `duplicate_tool` for two tools of one name; each names what is wrong.
 */
export function createServer(
  options: SdkMcpServerOptions,
  serve: (instance: SdkMcpServerInstance, transport: McpTransport) => Promise<void>,
): SdkMcpServer {
  const fields = readFields(options);
  const { name, version = "1.0.0", instructions, alwaysLoad, timeout, prefix = true } = fields;
  const tools = Object.freeze([...(fields.tools ?? [])]);
  checkTools(name, tools, prefix);
  const instance: SdkMcpServerInstance = {
    name,
    version,
    ...(instructions === undefined || instructions.trim() === "" ? {} : { instructions }),
    tools,
    ...(alwaysLoad === undefined ? {} : { alwaysLoad }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    prefix,
    connect: (transport) => serve(instance, transport),
  };
  markServer(instance);
  return Object.freeze({ type: "sdk", name, instance: Object.freeze(instance) });
}

function readFields(options: unknown): SdkMcpServerOptions {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw fault("", "it takes one object.", "Write createSdkMcpServer({ name, tools }).");
  }
  const fields: { [key: string]: unknown } = {};
  for (const [key, value] of Object.entries(options)) {
    const rule = FIELDS.get(key);
    if (rule === undefined) {
      const near = nearestName(key, FIELDS.keys());
      const fix =
        near === undefined ? `The fields are ${[...FIELDS.keys()].join(", ")}.` : `Did you mean ${near}?`;
      throw fault(key, "there is no such field.", fix);
    }
    if (value === undefined) continue;
    const [isGood, wants] = rule;
    if (!isGood(value)) throw fault(key, `it is ${shown(value)}.`, `It must be ${wants}.`);
    fields[key] = value;
  }
  if (fields.name === undefined) throw fault("name", "it is missing.", "Give the server a name.");
  return fields as unknown as SdkMcpServerOptions;
}

function checkTools(server: string, tools: readonly AnyTool[], prefix: boolean): void {
  const seen = new Map<string, number>();
  for (const [index, item] of tools.entries()) {
    const definition = definitionOf(item);
    if (definition === undefined) throw notTool(server, index, item);
    const { name, aliases } = definition;
    for (const called of new Set([name, ...aliases])) {
      const earlier = seen.get(called);
      if (earlier !== undefined) throw twice(server, called, earlier, index);
      seen.set(called, index);
    }
    if (!prefix && name.startsWith("mcp__")) {
      const why = `tools[${index}] is called "${name}", which reads like a tool of another server.`;
      throw fault("prefix", why, "Rename the tool, or leave prefix out.");
    }
  }
}

function twice(server: string, name: string, first: number, second: number): CastellanError {
  const message = `createSdkMcpServer("${server}"): tools[${first}] and tools[${second}] are both called "${name}".`;
  return new CastellanError("duplicate_tool", message, { subject: name, fix: "Rename one of them." });
}

function notTool(server: string, index: number, item: unknown): CastellanError {
  const named = (item as { readonly name?: unknown } | null | undefined)?.name;
  const what =
    typeof named === "string" ? `${shown(item)} called ${JSON.stringify(named.slice(0, 64))}` : shown(item);
  return new CastellanError(
    "invalid_tool",
    `TypeError: createSdkMcpServer("${server}"): tools[${index}] is ${what}, which tool() did not make.`,
    { subject: `tools[${index}]`, fix: "Put there what tool() or buildTool() returns, not a copy of it." },
  );
}

function fault(field: string, message: string, fix: string): CastellanError {
  const place = field === "" ? "" : `, field "${field}"`;
  return new CastellanError("invalid_option", `createSdkMcpServer()${place}: ${message}`, {
    ...(field === "" ? {} : { subject: field }),
    fix,
  });
}

function shown(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}
