import { join } from "node:path";
import { OPEN_FLAGS, type Platform } from "../../platform/index.ts";
import { listTree } from "../search/list-tree.ts";
import { matchNames } from "../search/match-glob.ts";
import { compilePattern } from "./compile-pattern.ts";
import { FILE_TYPES } from "./file-types.ts";
import { findLines } from "./find-lines.ts";
import { comparePaths, type Searched, type SearchRequest } from "./search-types.ts";
import { searchableText } from "./searchable-text.ts";

const MOST_FILE_BYTES = 32 * 1024 * 1024;

/** The same search without a ripgrep program: slower, with the same results. */
export async function searchBuiltIn(platform: Platform, request: SearchRequest): Promise<Searched> {
  const pattern = compilePattern(request.pattern, request);
  if (!pattern.ok) return pattern;
  const ofType = typeTest(request);
  if (typeof ofType !== "function") return ofType;
  const files = request.isFile ? [""] : await filesBelow(platform, request);
  for (const path of files) {
    if (request.signal.aborted) return { ok: false, text: "The search was interrupted." };
    const shown = request.isFile ? request.root.real.slice(request.root.real.lastIndexOf("/") + 1) : path;
    if (!request.accepts(shown) || !ofType(shown)) continue;
    const bytes = await readBounded(platform, join(request.root.real, path));
    const text = bytes === undefined ? undefined : searchableText(bytes);
    if (text === undefined) continue;
    const { count, lines } = findLines(text, pattern, {
      ...request,
      withLines: request.mode === "content",
    });
    if (count === 0) continue;
    const hits = { path: shown, count: request.mode === "files_with_matches" ? 0 : count, lines };
    if (!request.take(hits)) break;
  }
  return { ok: true };
}

async function filesBelow(platform: Platform, request: SearchRequest): Promise<string[]> {
  const { mayRead, signal } = request;
  const files: string[] = [];
  for await (const entry of listTree(platform, request.root, { hidden: true, mayRead, signal })) {
    if (entry.kind === "file") files.push(entry.relative);
  }
  return files.sort(comparePaths);
}

function typeTest(request: SearchRequest): ((path: string) => boolean) | (Searched & { ok: false }) {
  const { type } = request;
  if (type === undefined || request.isFile) return () => true;
  const globs = FILE_TYPES.get(type);
  if (globs === undefined) {
    const known = [...FILE_TYPES.keys()].join(", ");
    return { ok: false, text: `The search failed: unrecognized file type: ${type}. Known here: ${known}.` };
  }
  const tests = globs.map(matchNames);
  return (path) => tests.some((test) => test(path));
}

/** A file that cannot be read is left out, as ripgrep leaves it out. */
async function readBounded(platform: Platform, path: string): Promise<Uint8Array | undefined> {
  const flags = OPEN_FLAGS.read | OPEN_FLAGS.noFollow | OPEN_FLAGS.nonBlock;
  const handle = await platform.fs.open(path, flags).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= MOST_FILE_BYTES ? await handle.readFile() : undefined;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
