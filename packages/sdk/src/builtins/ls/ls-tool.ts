import type { ToolDefinition } from "../../protocol/index.ts";
import { buildTool } from "../../tools/index.ts";
import type { BuiltinDeps } from "../deps.ts";
import { pathProblem } from "../files/file-tool-words.ts";
import { isTooWide } from "../search/match-glob.ts";
import { listDirectory } from "./list-directory.ts";
import { LS_PROMPT } from "./prompt.ts";

const SCHEMA = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1, description: "The directory to list." },
    ignore: {
      type: "array",
      maxItems: 100,
      items: { type: "string", minLength: 1, maxLength: 1000 },
      description: "Glob patterns of names to leave out.",
    },
  },
  required: ["path"],
  additionalProperties: false,
} as const;

/** LS: the entries of one directory. */
export function lsTool({ platform }: BuiltinDeps): ToolDefinition {
  return buildTool({
    name: "LS",
    source: "builtin",
    title: "List a directory",
    searchHint: "list directory entries folder files",
    description: "Lists the entries of a directory.",
    prompt: () => LS_PROMPT,
    inputSchema: SCHEMA,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    validateInput: (input) =>
      (input.ignore ?? []).some(isTooWide)
        ? { ok: false, message: "The braces of an ignore pattern stand for too many names." }
        : pathProblem(input.path),
    targets: (input) => [{ kind: "path", access: "list", path: String(input.path), filtered: true }],
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    interruptBehavior: () => "cancel",
    idempotent: true,
    riskLevel: () => "low",
    maxResultSizeChars: 300_000,
    userFacingName: () => "LS",
    describe: (input) => `List ${input.path}`,
    summary: (input) => String(input.path),
    activity: (input) => `Listing ${input.path}`,
    call: (input, context) => listDirectory(platform, input, context),
  });
}
