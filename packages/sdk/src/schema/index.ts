export { compileSchema } from "./compile-schema.ts";
export type { CompiledSchema } from "./compiled.ts";
export { describe } from "./describe.ts";
export type { InferInput, SchemaForm } from "./infer.ts";
export { gotText, issuesText } from "./issues.ts";
export { jsonEqual } from "./json/equal.ts";
export { nearestName } from "./nearest.ts";
export { isWritable } from "./nesting.ts";
export type { Described, ShorthandType } from "./shorthand-types.ts";
