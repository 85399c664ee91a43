import { PERMISSION_MODES } from "../../protocol/index.ts";
import { isJsonObject } from "../../schema/index.ts";
import { COMPAT_HOSTS, SETTING_SOURCES } from "../../settings/index.ts";
import { firstFault, flag, func, oneOf, text, textList } from "../options/checks.ts";
import { badOption, type Check, fault, faultError, shown } from "../options/fault.ts";
import { platformCheck } from "../options/table.ts";
import { toolList } from "../options/tool-list.ts";
import { unknownKey } from "../options/unknown-key.ts";
import type { CheckOptions } from "./types.ts";

const listOf =
  (values: readonly string[]): Check =>
  (value) =>
    Array.isArray(value) ? firstFault(value, oneOf(values)) : fault("a list", value);

const settings: Check = (value) => {
  if (isJsonObject(value)) return undefined;
  if (Array.isArray(value)) {
    return firstFault(value, (each) => (isJsonObject(each) ? undefined : text(each)));
  }
  return typeof value === "string" ? text(value) : fault("a file, an object, or a list of both", value);
};

const CHECKS: { readonly [K in keyof CheckOptions]-?: Check } = {
  settings,
  settingSources: listOf(SETTING_SOURCES),
  compat: listOf(COMPAT_HOSTS),
  allowedTools: textList,
  disallowedTools: textList,
  additionalDirectories: textList,
  mode: oneOf([...PERMISSION_MODES, "yolo"]),
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
  if (!isJsonObject(given)) {
    throw badOption("options", `options is ${shown(given)}.`, "It must be an object, or left out.");
  }
  for (const [key, value] of Object.entries(given)) {
    const check = Object.hasOwn(CHECKS, key) ? CHECKS[key as keyof CheckOptions] : undefined;
    if (check === undefined) throw unknownKey(key, Object.keys(CHECKS));
    const found = value === undefined ? undefined : check(value);
    if (found !== undefined) throw faultError("options", key, found);
  }
  return given as CheckOptions;
}
