export { compileSchema } from "./compile-schema.ts";
export type { CompiledSchema } from "./compiled.ts";
export type { Described } from "./describe.ts";
export { describe } from "./describe.ts";
export type { InferInput, SchemaForm } from "./infer.ts";
export { gotText, issuesText } from "./issues.ts";
export { jsonEqual } from "./json/equal.ts";
export { nearestName } from "./nearest.ts";
export type { ShorthandType } from "./shorthand-types.ts";
