import { compileHooks, type HookTable } from "../../hooks/index.ts";
import { checkKey, optionsObject } from "./check-keys.ts";
import { checkTogether } from "./check-together.ts";
import { HOST_ONLY_OPTIONS } from "./known.ts";
import { OPTION_CHECKS } from "./table.ts";
import type { Options } from "./types.ts";

/** Options after every check that needs no disk and no network, with what the user should be told. */
export interface CheckedOptions {
  readonly options: Options;
  readonly hooks: HookTable;
  readonly warnings: readonly string[];
}

/**
 * Checks each key, each value and what does not go together.
 *
 * @throws CastellanError `invalid_option` naming the option, the value and the fix.
 */
export function parseOptions(given: unknown): CheckedOptions {
  if (given === undefined) return parseOptions({});
  const all = optionsObject(given);
  const warnings: string[] = [];
  const options: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(all)) {
    if (HOST_ONLY_OPTIONS.has(key)) {
      warnings.push(`options.${key} has no effect: nothing runs in another process here. Remove it.`);
      continue;
    }
    checkKey(key, value, OPTION_CHECKS, all);
    if (value !== undefined) options[key] = value;
  }
  const checked = options as Options;
  checkTogether(checked);
  return { options: checked, hooks: compileHooks(checked.hooks), warnings };
}
