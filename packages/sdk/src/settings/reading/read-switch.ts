import type { SettingsSwitches } from "../types.ts";
import { type Draft, type Filling, kindText, type Path } from "./draft.ts";

const WORD: ReadonlySet<string> = new Set(["disableBypassPermissionsMode", "disableAutoMode"]);

/**
 * A switch. All of them tighten, so that a value that cannot be understood counts as set.
 */
export function readSwitch(
  key: string,
  value: unknown,
  path: Path,
  into: Filling<SettingsSwitches>,
  draft: Draft,
): void {
  const name = key as keyof SettingsSwitches;
  if (name === "allowManagedPermissionRulesOnly" && draft.source !== "policySettings") {
    draft.tell(path, {
      code: "not-here",
      severity: "warning",
      message: `${key} counts in the machine's policy only.`,
      fix: "Remove it here.",
    });
    return;
  }
  const takesWord = WORD.has(key);
  const isSet = value === true || (takesWord && value === "disable");
  if (!isSet && value !== false) {
    const words = takesWord ? 'true, false or "disable"' : "true or false";
    draft.tell(path, {
      code: "wrong-type",
      severity: "error",
      message: `${key} is ${kindText(value)}, and is taken as true.`,
      fix: `It must be ${words}.`,
    });
  }
  into[name] = value !== false;
}
