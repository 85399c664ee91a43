import type { Dirent } from "node:fs";
import { join, resolve } from "node:path";
import type { Platform } from "../../platform/index.ts";
import type { BuiltinContext, JsonObject, MayRead, ToolResult } from "../../protocol/index.ts";
import { need } from "../deps.ts";
import { describeFileError } from "../files/describe-file-error.ts";
import type { JudgedPath } from "../files/judged-path.ts";
import { failure, textResult } from "../results.ts";
import { checkRoot } from "../search/check-root.ts";
import { matchNames } from "../search/match-glob.ts";
import { mayShowBelow } from "../search/may-show.ts";
import { showName } from "../search/show-name.ts";

/** Entries that a model gets; the rest is counted. */
export const MOST_ENTRIES = 1_000;

/** Lists a directory, without what may not be read. */
export async function listDirectory(
  platform: Platform,
  input: JsonObject,
  context: BuiltinContext,
): Promise<ToolResult> {
  const root = await checkRoot(platform, context);
  if (root.kind === "refused") return failure(root.text);
  const { path } = root;
  if (root.kind === "missing") return failure(`${path.given} does not exist.`);
  if (root.kind === "file") return failure(`${path.given} is a file, not a directory. Read it with Read.`);
  try {
    return await show(platform, path, input, context);
  } catch (error) {
    return failure(describeFileError(error, path.given));
  }
}

async function show(
  platform: Platform,
  path: JudgedPath,
  input: JsonObject,
  context: BuiltinContext,
): Promise<ToolResult> {
  const mayRead = need(context.services, "mayRead");
  const mayShow = mayShowBelow(path, mayRead);
  const ignored = (Array.isArray(input.ignore) ? input.ignore : []).map((each) => matchNames(String(each)));
  const entries = (await platform.fs.readdir(path.real, { withFileTypes: true }))
    .filter(({ name }) => mayShow(name) && !ignored.some((test) => test(name)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (entries.length === 0) return textResult(`${path.given} has no entries to show.`);
  const shown = entries.slice(0, MOST_ENTRIES);
  const lines = await Promise.all(shown.map((entry) => line(platform, path.real, entry, mayRead)));
  const more = entries.length - shown.length;
  if (more > 0) lines.push(`(${more} more entries are not shown. Narrow them with Glob.)`);
  return textResult([`${path.given}:`, ...lines].join("\n"), {
    structuredContent: { path: path.given, entries: entries.length },
  });
}

async function line(platform: Platform, folder: string, entry: Dirent, mayRead: MayRead): Promise<string> {
  const name = showName(entry.name);
  if (entry.isDirectory()) return `${name}/`;
  if (!entry.isSymbolicLink()) return name;
  const leads = await platform.fs.readlink(join(folder, entry.name)).catch(() => "?");
  // The link is no secret, but what it leads to may be, its name included.
  const where = mayRead(resolve(folder, leads)) ? showName(leads) : "(not shown)";
  return `${name} -> ${where}`;
}
