import { CastellanError } from "../../protocol/index.ts";
import { nearestName } from "../../tools/index.ts";
import { isPlainObject, shown } from "./checks.ts";
import { camelCase, HOST_ONLY_OPTIONS, LATER_OPTIONS } from "./known.ts";
import { OPTION_CHECKS } from "./table.ts";
import type { Options } from "./types.ts";

/** Options after every check that needs no disk and no network, with what the user should be told. */
export interface CheckedOptions {
  readonly options: Options;
  readonly warnings: readonly string[];
}

/**
 * Checks each key, each value and what does not go together.
 *
 * @throws CastellanError `invalid_option` naming the option, the value and the fix.
 */
export function parseOptions(given: unknown): CheckedOptions {
  if (given === undefined) return { options: {}, warnings: [] };
  if (!isPlainObject(given)) throw bad("options", `options must be an object, got ${shown(given)}.`);
  const warnings: string[] = [];
  const options: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (HOST_ONLY_OPTIONS.has(key)) {
      warnings.push(`options.${key} has no effect: nothing runs in another process here. Remove it.`);
      continue;
    }
    const check = Object.hasOwn(OPTION_CHECKS, key) ? OPTION_CHECKS[key as keyof Options] : undefined;
    if (check === undefined) throw unknownKey(key);
    if (value === undefined) continue;
    const fault = check(value);
    if (fault !== undefined) {
      const place = `options.${key}${fault.at}`;
      throw bad(key, `${place} must be ${fault.expected}, got ${shown(fault.got)}.`, fault.fix);
    }
    options[key] = value;
  }
  const checked = options as Options;
  checkTogether(checked);
  return { options: checked, warnings };
}

function checkTogether(options: Options): void {
  const mode = options.permissionMode;
  const bypass = (value: string | undefined): boolean => value === "bypassPermissions" || value === "yolo";
  if (options.allowDangerouslySkipPermissions !== true) {
    const asked = bypass(mode)
      ? "options.permissionMode"
      : bypass(options.settings?.permissions?.defaultMode)
        ? "options.settings.permissions.defaultMode"
        : undefined;
    if (asked !== undefined) {
      throw bad(
        "permissionMode",
        `${asked} asks for bypassPermissions, which runs every call without asking.`,
        "Set allowDangerouslySkipPermissions: true beside it, or choose another mode.",
      );
    }
  }
  together(options, "resume", "continue", "Give the id to resume, or continue the newest session, not both.");
  together(options, "resume", "sessionId", "A resumed session keeps its id.");
  together(options, "continue", "sessionId", "A continued session keeps its id.");
  if (options.persistSession === false) {
    together(options, "persistSession", "resume", "A session in memory has nothing to resume.");
    together(options, "persistSession", "continue", "A session in memory has nothing to continue.");
    together(options, "persistSession", "sessionStore", "Leave persistSession out, or the store.");
  }
  for (const key of ["canUseToolScope", "canUseToolTimeoutMs"] as const) {
    if (options[key] !== undefined && options.canUseTool === undefined) {
      throw bad(
        key,
        `options.${key} needs options.canUseTool, which is missing.`,
        `Add canUseTool, or remove ${key}.`,
      );
    }
  }
}

function together(options: Options, first: keyof Options, second: keyof Options, fix: string): void {
  const set = (key: keyof Options): boolean => options[key] !== undefined && options[key] !== false;
  const firstSet = first === "persistSession" ? options.persistSession === false : set(first);
  if (firstSet && set(second)) {
    throw bad(second, `options.${first} and options.${second} do not go together.`, fix);
  }
}

function unknownKey(key: string): CastellanError {
  if (LATER_OPTIONS.has(key)) {
    return bad(
      key,
      `options.${key} is not supported in this release.`,
      "Remove it; docs/limitations.md lists what is missing.",
    );
  }
  const camel = camelCase(key);
  const names = Object.keys(OPTION_CHECKS);
  const nearest = Object.hasOwn(OPTION_CHECKS, camel) ? camel : nearestName(key, names);
  const fix = nearest === undefined ? `Known options: ${names.join(", ")}.` : `Did you mean ${nearest}?`;
  return bad(key, `options.${key} is not an option.`, fix);
}

function bad(subject: string, message: string, fix?: string): CastellanError {
  return new CastellanError("invalid_option", message, fix === undefined ? { subject } : { subject, fix });
}
