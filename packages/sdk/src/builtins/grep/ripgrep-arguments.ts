import { basename } from "node:path";
import { VERSION_CONTROL } from "../search/list-tree.ts";
import type { SearchRequest } from "./search-types.ts";

/**
 * The arguments for one search. ripgrep runs in the root (or beside the file that is the root), so
 * every path that it prints begins with `./`; pattern and type stand behind `=`, so neither can be
 * taken for a flag.
 */
export function ripgrepArguments(request: SearchRequest): string[] {
  return [
    // RIPGREP_CONFIG_PATH could name any file and any flag.
    "--no-config",
    "--no-messages",
    "--color=never",
    "--hidden",
    "--crlf",
    "--no-require-git",
    "--no-ignore-global",
    ...(request.heedsAbove ? [] : ["--no-ignore-parent"]),
    ...VERSION_CONTROL.map((name) => `--glob=!${name}`),
    ...outputFlags(request),
    ...(request.ignoreCase ? ["--ignore-case"] : ["--case-sensitive"]),
    ...(request.multiline ? ["--multiline", "--multiline-dotall"] : []),
    ...typeFlags(request),
    `--regexp=${request.pattern}`,
    "--",
    request.isFile ? `./${basename(request.root.real)}` : "./",
  ];
}

function outputFlags(request: SearchRequest): string[] {
  if (request.mode === "files_with_matches") return ["--files-with-matches", "--null"];
  if (request.mode === "count") return ["--count", "--null", "--with-filename"];
  const context = [`--before-context=${request.before}`, `--after-context=${request.after}`];
  return ["--json", "--sort=path", ...context];
}

function typeFlags(request: SearchRequest): string[] {
  if (request.type !== undefined) return [`--type=${request.type}`];
  // A type, unlike --glob, does not bring back what .gitignore leaves out.
  return request.nameGlob === undefined || request.isFile
    ? []
    : [`--type-add=wantedname:${request.nameGlob}`, "--type=wantedname"];
}
