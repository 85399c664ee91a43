import type { JsonObject, ToolDefinition, ValidationResult } from "../../protocol/index.ts";
import { buildTool } from "../../tools/index.ts";
import type { BuiltinDeps } from "../deps.ts";
import { joinRaw, leavesRoot, literalPrefix } from "../search/literal-prefix.ts";
import { isTooWide } from "../search/match-glob.ts";
import { findFiles } from "./find-files.ts";
import { GLOB_PROMPT } from "./prompt.ts";

const SCHEMA = {
  type: "object",
  properties: {
    pattern: { type: "string", minLength: 1, maxLength: 1000, description: "The glob pattern." },
    path: { type: "string", description: "The directory to start from. Default: the working directory." },
  },
  required: ["pattern"],
  additionalProperties: false,
} as const;

/** Glob: files by name. */
export function globTool({ platform }: BuiltinDeps): ToolDefinition {
  return buildTool({
    name: "Glob",
    source: "builtin",
    title: "Find files",
    searchHint: "find files by name pattern glob",
    description: "Finds files by a glob pattern, newest first.",
    prompt: () => GLOB_PROMPT,
    inputSchema: SCHEMA,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    validateInput,
    targets: (input) => [{ kind: "path", access: "walk", path: rootOf(input), filtered: true }],
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    interruptBehavior: () => "cancel",
    idempotent: true,
    riskLevel: () => "low",
    userFacingName: () => "Glob",
    describe: (input) => `Find files: ${input.pattern}${place(input)}`,
    summary: (input) => `${input.pattern}${place(input)}`,
    activity: (input) => `Finding ${input.pattern}`,
    call: (input, context) => findFiles(platform, input, context),
  });
}

/** The walk starts at the path joined with the literal beginning of the pattern: that is what is judged. */
function rootOf(input: JsonObject): string {
  const path = typeof input.path === "string" ? input.path : undefined;
  return joinRaw(path, literalPrefix(String(input.pattern)).prefix);
}

function validateInput(input: JsonObject): ValidationResult {
  const pattern = String(input.pattern);
  if (pattern.includes("\0") || String(input.path ?? "").includes("\0")) {
    return { ok: false, message: "The pattern or path holds a zero byte, which no path can." };
  }
  const { rest } = literalPrefix(pattern);
  if (rest === "") {
    return { ok: false, message: "The pattern ends in a slash: name the files, for example with **/*." };
  }
  if (isTooWide(rest)) {
    return {
      ok: false,
      message: "The braces of the pattern stand for too many names: use wildcards instead.",
    };
  }
  if (leavesRoot(rest)) {
    return {
      ok: false,
      message: "The pattern has .. behind or inside a wildcard. Put the directory into path instead.",
    };
  }
  return { ok: true };
}

const place = (input: JsonObject): string => (typeof input.path === "string" ? ` in ${input.path}` : "");
