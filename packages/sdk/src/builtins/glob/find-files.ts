import type { Platform } from "../../platform/index.ts";
import type { BuiltinContext, JsonObject, ToolResult } from "../../protocol/index.ts";
import type { WalkEntry } from "../../workspace/index.ts";
import { need } from "../deps.ts";
import { describeFileError } from "../files/describe-file-error.ts";
import type { JudgedPath } from "../files/judged-path.ts";
import { failure, textResult } from "../results.ts";
import { checkRoot } from "../search/check-root.ts";
import { isVersionControl, listTree } from "../search/list-tree.ts";
import { literalPrefix } from "../search/literal-prefix.ts";
import { matchGlob } from "../search/match-glob.ts";
import { mayShowBelow } from "../search/may-show.ts";
import { showPath } from "../search/show-name.ts";
import { type DatedFile, newestFirst } from "./newest-first.ts";

/** Files that a model gets; the rest is counted. */
export const MOST_SHOWN = 100;

/** Finds files by a pattern, newest first. */
export async function findFiles(
  platform: Platform,
  input: JsonObject,
  context: BuiltinContext,
): Promise<ToolResult> {
  const root = await checkRoot(platform, context);
  if (root.kind === "refused") return failure(root.text);
  const { path } = root;
  if (root.kind === "missing") return failure(`No files: ${path.given} does not exist.`);
  if (root.kind === "file") {
    return failure(`${path.given} is a file, not a directory to search in. Read it with Read.`);
  }
  try {
    const entries = await matching(platform, path, String(input.pattern), context);
    const files = await newestFirst(platform.fs, path.real, entries);
    return report(files, context.cwd);
  } catch (error) {
    return failure(describeFileError(error, path.given));
  }
}

async function matching(
  platform: Platform,
  root: JudgedPath,
  pattern: string,
  context: BuiltinContext,
): Promise<WalkEntry[]> {
  const { rest } = literalPrefix(pattern);
  const matches = matchGlob(rest);
  const mayRead = need(context.services, "mayRead");
  const mayShow = mayShowBelow(root, mayRead);
  const found: WalkEntry[] = [];
  const options = { hidden: namesHidden(rest), mayRead, signal: context.signal };
  for await (const entry of listTree(platform, root, options)) {
    if (entry.kind !== "file" && entry.kind !== "link") continue;
    if (isVersionControl(entry.relative) || !matches(entry.relative) || !mayShow(entry.relative)) continue;
    found.push(entry);
  }
  return found;
}

/** Whether some part of the pattern begins with a dot, also as one of several choices. */
const namesHidden = (pattern: string): boolean => /(^|[/{,])\\?\./.test(pattern);

function report(files: readonly DatedFile[], cwd: string): ToolResult {
  const structuredContent = { total: files.length, shown: Math.min(files.length, MOST_SHOWN) };
  if (files.length === 0) return textResult("No files match.", { structuredContent });
  const lines = files.slice(0, MOST_SHOWN).map((file) => showPath(file.path, cwd));
  if (files.length > MOST_SHOWN) {
    lines.push(
      `(The newest ${MOST_SHOWN} of ${files.length} files are shown. Narrow the pattern to see others.)`,
    );
  }
  return textResult(lines.join("\n"), { structuredContent });
}
