import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { FileSystem } from "../../platform/index.ts";
import { importsOf } from "./imports.ts";
import { type InstructionPlace, instructionPlaces } from "./places.ts";
import type { InstructionFile, InstructionParts } from "./types.ts";

/** Bounds of one file, of all of them, and of imports in imports. */
const FILE_BYTES = 200_000;
const ALL_CHARACTERS = 200_000;
const MOST_FILES = 50;
const DEPTH = 5;

/**
 * Reads the instruction files that hold for a session, with what they import as `@path`. A file counts once. Never
 * rejects: what cannot be read, or may not be, is told and left out.
 */
export async function readInstructions(parts: InstructionParts): Promise<readonly InstructionFile[]> {
  const { trusted, notify } = parts;
  const files: InstructionFile[] = [];
  const seen = new Set<string>();
  let left = ALL_CHARACTERS;
  const untrusted: string[] = [];

  async function take(place: InstructionPlace, roots: readonly string[], depth: number): Promise<void> {
    const read = await readOne(place.path, roots, parts);
    if (read === undefined) return;
    const { real, text } = read;
    if (seen.has(real) || seen.has(`text ${text}`) || text.trim() === "") return;
    seen.add(real).add(`text ${text}`);
    if (files.length >= MOST_FILES || text.length > left) {
      notify(
        "warning",
        `${place.path} is left out: the instruction files are too many or too long together.`,
      );
      return;
    }
    left -= text.length;
    files.push({ ...place, text });
    if (depth === DEPTH) return;
    for (const path of importsOf(text)) {
      await take({ type: place.type, path: pathOf(path, dirname(real), parts.home) }, roots, depth + 1);
    }
  }

  const projectRoots = [parts.projectRoot, parts.cwd];
  for (const place of instructionPlaces(parts)) {
    if (place.type === "User") await take(place, [dirname(place.path)], 0);
    else if (trusted) await take(place, projectRoots, 0);
    else if (await isThere(parts.fs, place.path)) untrusted.push(place.path);
  }
  if (untrusted.length > 0) {
    notify("warning", `Not read, since this workspace is not trusted: ${untrusted.join(", ")}.`);
  }
  return files;
}

/** Undefined where there is nothing, or nothing that may be read. */
async function readOne(
  path: string,
  roots: readonly string[],
  { fs, mayRead, isInside, notify }: InstructionParts,
): Promise<{ readonly real: string; readonly text: string } | undefined> {
  const refuse = (why: string): undefined => {
    notify("warning", `The instruction file ${path} is not read: ${why}`);
    return undefined;
  };
  try {
    // A link is followed before anything is asked: what counts is where it leads.
    const real = await fs.realpath(path);
    const stats = await fs.stat(real);
    if (!stats.isFile()) return undefined;
    const within = await Promise.all(roots.map(async (root) => isBelow(real, await realOf(fs, root))));
    if (!within.includes(true) && !(await isInside(real))) {
      return refuse("it lies outside of the folders that instructions may come from.");
    }
    if (!mayRead(path) || !mayRead(real)) return refuse("a rule about Read stands against it.");
    if (stats.size > FILE_BYTES) return refuse(`it has ${stats.size} bytes, and ${FILE_BYTES} are the most.`);
    const text = (await fs.readFile(real, "utf8")).replace(/^\uFEFF/, "");
    return text.includes("\0") ? refuse("it is no text.") : { real, text };
  } catch (error) {
    const code = (error as { readonly code?: unknown }).code;
    // An `@name` need not be a file.
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return undefined;
    return refuse(`it cannot be read (${String(code ?? "unknown")}).`);
  }
}

function pathOf(given: string, folder: string, home: string): string {
  if (given.startsWith("~/")) return join(home, given.slice(2));
  return isAbsolute(given) ? given : resolve(folder, given);
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

async function realOf(fs: Pick<FileSystem, "realpath">, path: string): Promise<string> {
  return fs.realpath(path).catch(() => path);
}

async function isThere(fs: Pick<FileSystem, "stat">, path: string): Promise<boolean> {
  return fs.stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
