import type { JsonObject, ToolDefinition, ValidationResult } from "../../protocol/index.ts";
import { buildTool } from "../../tools/index.ts";
import type { BuiltinDeps } from "../deps.ts";
import { isTooWide, splitPatterns } from "../search/match-glob.ts";
import { findRipgrep } from "./find-ripgrep.ts";
import { GREP_SCHEMA } from "./grep-schema.ts";
import { GREP_PROMPT } from "./prompt.ts";
import { searchContent } from "./search-content.ts";

/** Grep: files by content. */
export function grepTool({ platform, ripgrep }: BuiltinDeps): ToolDefinition {
  let program: Promise<string | undefined> | undefined;
  return buildTool({
    name: "Grep",
    source: "builtin",
    title: "Search in files",
    searchHint: "search file content regular expression text",
    description: "Searches the content of files with a regular expression.",
    prompt: () => GREP_PROMPT,
    inputSchema: GREP_SCHEMA,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    validateInput,
    targets: (input) => [
      {
        kind: "path",
        access: "walk",
        path: typeof input.path === "string" ? input.path : ".",
        filtered: true,
      },
    ],
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    interruptBehavior: () => "cancel",
    idempotent: true,
    riskLevel: () => "low",
    maxResultSizeChars: 260_000,
    userFacingName: () => "Grep",
    describe: (input) => `Search for ${input.pattern}${place(input)}`,
    summary: (input) => `${input.pattern}${place(input)}`,
    activity: (input) => `Searching for ${input.pattern}`,
    async call(input, context) {
      program ??= findRipgrep(platform.fs, ripgrep);
      return searchContent(platform, await program, input, context);
    },
  });
}

function validateInput(input: JsonObject): ValidationResult {
  const pattern = String(input.pattern);
  const all = [pattern, input.path, input.glob].map((each) => String(each ?? ""));
  if (all.some((each) => each.includes("\0"))) {
    return {
      ok: false,
      message: "The pattern, path or glob holds a zero byte, which cannot be searched for.",
    };
  }
  if (splitPatterns(String(input.glob ?? "")).some(isTooWide)) {
    return { ok: false, message: "The braces of the glob stand for too many names: use wildcards instead." };
  }
  // Outside a character class; escaped backslashes are taken out first.
  const plain = pattern.replaceAll("\\\\", "").replace(/\[(?:\\.|[^\]\\])*\]/g, "");
  if (input.multiline !== true && /\n|\\n/.test(plain)) {
    return { ok: false, message: "The pattern spans lines: set multiline to true for that." };
  }
  return { ok: true };
}

const place = (input: JsonObject): string => (typeof input.path === "string" ? ` in ${input.path}` : "");
