export { builtinTools } from "./builtin-tools.ts";
export type { BuiltinDeps } from "./deps.ts";
