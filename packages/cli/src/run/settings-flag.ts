import type { Options } from "@castellan/sdk";
import { EXIT } from "../exit-codes.ts";
import { Fault } from "../fault.ts";

/**
 * What `--settings` gives: settings as JSON where it begins with a brace, else the path of a file.
 *
 * @throws Fault (usage) for what is no JSON
 */
export function settingsFlag(value: string | undefined): Pick<Options, "settings"> {
  if (value === undefined) return {};
  if (!value.trimStart().startsWith("{")) return { settings: value };
  try {
    return { settings: JSON.parse(value) };
  } catch (error) {
    const why = (error as Error).message;
    throw new Fault(EXIT.usage, `--settings is no JSON: ${why}. Give settings as JSON, or a file.`, error);
  }
}
