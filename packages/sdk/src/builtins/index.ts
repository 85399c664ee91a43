export { builtinTools, declaredTools, mountedBuiltins } from "./builtin-tools.ts";
export type { DeclaredTool } from "./declaration.ts";
export type { BuiltinDeps } from "./deps.ts";
