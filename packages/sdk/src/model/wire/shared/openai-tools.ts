import type { JsonSchema } from "../../../protocol/index.ts";
import type { ModelTool } from "../../port.ts";
import { ask, list } from "./json.ts";

/** A function as both OpenAI formats describe it. */
export function functionOf({ name, description, inputSchema }: ModelTool): object {
  return { name, description, parameters: { type: "object", ...inputSchema } };
}

/** Strict mode is asked for only where the schema meets its demands; else the whole request would be refused. */
export function isStrict(tool: ModelTool): boolean {
  return tool.strict === true && fitsStrict(tool.inputSchema);
}

/** Every object lists all its properties as required and closes itself. */
export function fitsStrict(schema: JsonSchema): boolean {
  const pending: unknown[] = [schema];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const properties = ask(value, "properties");
    if (ask(value, "type") === "object" || properties !== undefined) {
      if (ask(value, "additionalProperties") !== false) return false;
      const required = new Set(list(ask(value, "required")));
      if (!Object.keys(properties ?? {}).every((name) => required.has(name))) return false;
    }
    pending.push(...Object.values(value));
  }
  return true;
}

/** A schema that the answer's text must fit; null where tools are given, because the answer comes through one then. */
export function answerFormat(request: {
  readonly outputSchema?: JsonSchema;
  readonly tools: readonly ModelTool[];
}): { readonly name: string; readonly schema: JsonSchema; readonly strict: boolean } | undefined {
  const schema = request.outputSchema;
  if (schema === undefined || request.tools.length > 0) return undefined;
  return { name: "answer", schema, strict: fitsStrict(schema) };
}
