import { dirname } from "node:path";
import type { Platform } from "../../platform/index.ts";
import type { BuiltinContext, JsonObject, ToolResult } from "../../protocol/index.ts";
import { heedsIgnoreFilesAbove, openResolved } from "../../workspace/index.ts";
import { describeFileError } from "../files/describe-file-error.ts";
import type { JudgedPath } from "../files/judged-path.ts";
import { failure, textResult } from "../results.ts";
import { checkRoot } from "../search/check-root.ts";
import { gather, report } from "./report-hits.ts";
import { searchBuiltIn } from "./search-built-in.ts";
import { formatOf, requestOf } from "./search-request.ts";
import { searchWithRipgrep } from "./search-with-ripgrep.ts";
import { looksBinary } from "./searchable-text.ts";

/** Searches in files. `ripgrep` is the program to use, undefined for the built-in search. */
export async function searchContent(
  platform: Platform,
  ripgrep: string | undefined,
  input: JsonObject,
  context: BuiltinContext,
): Promise<ToolResult> {
  const root = await checkRoot(platform, context);
  if (root.kind === "refused") return failure(root.text);
  const { path } = root;
  if (root.kind === "missing") return failure(`${path.given} does not exist.`);
  const isFile = root.kind === "file";
  const format = formatOf(input, isFile ? dirname(path.given) : path.given, context.cwd);
  try {
    if (isFile && (await isBinary(platform, path))) {
      return textResult(`No matches: ${path.given} is a binary file, which is not searched.`);
    }
    const gathered = gather(input, format);
    const heedsAbove = !isFile && (await heedsIgnoreFilesAbove(platform, path.real));
    const request = requestOf(input, path, isFile, heedsAbove, context, gathered.take);
    const { spawner } = context.services;
    const searched =
      ripgrep === undefined || spawner === undefined
        ? await searchBuiltIn(platform, request)
        : await searchWithRipgrep(platform, spawner, ripgrep, request);
    return searched.ok ? report(gathered, format, input, searched.note) : failure(searched.text);
  } catch (error) {
    return failure(describeFileError(error, path.given));
  }
}

async function isBinary(platform: Platform, path: JudgedPath): Promise<boolean> {
  const handle = await openResolved(platform.fs, path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, 0);
    return looksBinary(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}
