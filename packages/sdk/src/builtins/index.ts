export { builtinTools, mountedBuiltins } from "./builtin-tools.ts";
export type { BuiltinDeps } from "./deps.ts";
