import type { JsonSchema, ParsedInput } from "../protocol/index.ts";

/** What every form of schema ends as. */
export interface CompiledSchema {
  /** Draft 2020-12, its root of `type: "object"`: what the model sees. */
  readonly jsonSchema: JsonSchema;
  /** Enforces it. Never throws and never rejects; a promise only where a library's own check is asynchronous. */
  parse(value: unknown): ParsedInput | Promise<ParsedInput>;
}
