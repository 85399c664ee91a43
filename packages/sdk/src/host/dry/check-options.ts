import { isJsonObject } from "../../schema/index.ts";
import { checkKeys } from "../options/check-keys.ts";
import { firstFault, flag, func, text, textList } from "../options/checks.ts";
import { type Check, fault } from "../options/fault.ts";
import { compat, mode, settingSources } from "../options/settings-checks.ts";
import { platformCheck } from "../options/table.ts";
import { toolList } from "../options/tool-list.ts";
import type { CheckOptions } from "./types.ts";

const settings: Check = (value) => {
  if (isJsonObject(value)) return undefined;
  if (Array.isArray(value)) {
    return firstFault(value, (each) => (isJsonObject(each) ? undefined : text(each)));
  }
  return typeof value === "string" ? text(value) : fault("a file, an object, or a list of both", value);
};

const CHECKS: { readonly [K in keyof CheckOptions]-?: Check } = {
  settings,
  settingSources,
  compat,
  allowedTools: textList,
  disallowedTools: textList,
  additionalDirectories: textList,
  mode,
  cwd: text,
  home: text,
  trusted: flag,
  tools: toolList,
  onFinding: func,
  platform: platformCheck,
};

/**
 * The options of a dry run, checked key by key.
 *
 * @throws CastellanError `invalid_option` naming the option, the value and the fix.
 */
export function readCheckOptions(given: unknown): CheckOptions {
  checkKeys(given, CHECKS);
  return given as CheckOptions;
}
