import { extname } from "node:path";
import { pathToFileURL } from "node:url";
import type { Platform } from "../platform/index.ts";
import { CastellanError, errorText } from "../protocol/index.ts";
import { checkScript } from "./check-script.ts";
import type { LanguageModel } from "./port.ts";
import type { ScriptStep } from "./script.ts";
import { scriptedModel } from "./scripted.ts";

/**
 * The model that plays the script of a file, under the name `id`.
 *
 * @param file as in `loadScript()`. @throws as `loadScript()`
 */
export async function modelOfScript(
  file: string,
  id: string,
  platform: Pick<Platform, "fs" | "clock">,
): Promise<LanguageModel> {
  const turns = await loadScript(file, platform);
  return scriptedModel(turns, { id, position: "history", clock: platform.clock });
}

/**
 * Reads a script: a `.json` file with a list of turns, or an ES module (`.js`, `.mjs`) whose `default` or `turns`
 * is one. A module runs with the rights of this process.
 *
 * @param file an absolute path.
 * @throws `invalid_model`, naming the file, and in it the turn and key.
 */
export async function loadScript(
  file: string,
  platform: Pick<Platform, "fs">,
): Promise<readonly ScriptStep[]> {
  const where = `The script ${file}`;
  const extension = extname(file).toLowerCase();
  if (extension === ".json") return checkScript(await readJson(file, where, platform), where);
  if (extension === ".js" || extension === ".mjs")
    return checkScript(await importTurns(file, where, platform), where);
  throw invalid(where, "it is neither a .json file nor a .js or .mjs module.", file);
}

async function readJson(file: string, where: string, { fs }: Pick<Platform, "fs">): Promise<unknown> {
  const text = await read(file, where, () => fs.readFile(file, "utf8"));
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(where, `it is not JSON: ${reason(cause)}`, file, cause);
  }
}

async function importTurns(file: string, where: string, { fs }: Pick<Platform, "fs">): Promise<unknown> {
  await read(file, where, () => fs.access(file));
  let exported: Record<string, unknown>;
  try {
    exported = await import(pathToFileURL(file).href);
  } catch (cause) {
    throw invalid(where, `the module cannot be loaded: ${reason(cause)}`, file, cause);
  }
  const turns = exported.default ?? exported.turns;
  if (turns === undefined) throw invalid(where, "the module exports neither `default` nor `turns`.", file);
  return turns;
}

async function read<T>(file: string, where: string, job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (cause) {
    throw invalid(where, `it cannot be read: ${reason(cause)}`, file, cause);
  }
}

function reason(cause: unknown): string {
  return errorText(cause);
}

function invalid(where: string, what: string, file: string, cause?: unknown): CastellanError {
  return new CastellanError("invalid_model", `${where}: ${what}`, { subject: file, cause });
}
