import { isJsonObject } from "../../schema/index.ts";
import { badOption, type Check, faultError, shown } from "./fault.ts";
import { unknownKey } from "./unknown-key.ts";

type Given = Readonly<Record<string, unknown>>;

/**
 * Options, checked key by key.
 *
 * @throws CastellanError `invalid_option` naming the option, the value and the fix.
 */
export function checkKeys(given: unknown, checks: Readonly<Record<string, Check>>): void {
  for (const [key, value] of Object.entries(optionsObject(given))) checkKey(key, value, checks);
}

/** @throws CastellanError `invalid_option` */
export function optionsObject(given: unknown): Given {
  if (isJsonObject(given)) return given;
  throw badOption("options", `options is ${shown(given)}.`, "It must be an object, or left out.");
}

/**
 * One of them. A value that is undefined is as good as left out.
 *
 * @param all every option as it was given, for checks that look at others.
 * @throws CastellanError `invalid_option`
 */
export function checkKey(
  key: string,
  value: unknown,
  checks: Readonly<Record<string, Check>>,
  all?: Given,
): void {
  const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
  if (check === undefined) throw unknownKey(key, Object.keys(checks));
  const found = value === undefined ? undefined : check(value, all);
  if (found !== undefined) throw faultError("options", key, found);
}
