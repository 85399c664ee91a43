import { compileHooks, type HookTable } from "../../hooks/index.ts";
import { isJsonObject } from "../../schema/index.ts";
import { checkTogether } from "./check-together.ts";
import { badOption, faultError, shown } from "./fault.ts";
import { HOST_ONLY_OPTIONS } from "./known.ts";
import { OPTION_CHECKS } from "./table.ts";
import type { Options } from "./types.ts";
import { unknownKey } from "./unknown-key.ts";

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
  if (!isJsonObject(given)) {
    throw badOption("options", `options is ${shown(given)}.`, "It must be an object, or left out.");
  }
  const warnings: string[] = [];
  const options: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (HOST_ONLY_OPTIONS.has(key)) {
      warnings.push(`options.${key} has no effect: nothing runs in another process here. Remove it.`);
      continue;
    }
    const check = Object.hasOwn(OPTION_CHECKS, key) ? OPTION_CHECKS[key as keyof Options] : undefined;
    if (check === undefined) throw unknownKey(key, Object.keys(OPTION_CHECKS));
    if (value === undefined) continue;
    const found = check(value, given);
    if (found !== undefined) throw faultError("options", key, found);
    options[key] = value;
  }
  const checked = options as Options;
  checkTogether(checked);
  return { options: checked, hooks: compileHooks(checked.hooks), warnings };
}
