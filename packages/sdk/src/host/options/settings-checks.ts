import { PERMISSION_MODES } from "../../protocol/index.ts";
import { isJsonObject } from "../../schema/index.ts";
import {
  COMPAT_HOSTS,
  type PermissionSettings,
  type RuleObject,
  SETTING_SOURCES,
  type Settings,
  type SettingsSwitches,
} from "../../settings/index.ts";
import { anyText, firstFault, flag, oneOf, record, shape, text, textList } from "./checks.ts";
import { type Check, fault } from "./fault.ts";

const MODES = [...PERMISSION_MODES, "yolo"];

/** A permission mode, as options and settings name it. */
export const mode: Check = (value) => {
  const wrong = oneOf(MODES)(value);
  if (value === "bubble")
    return { ...fault("a mode that a user may set", value), fix: "Only the runtime uses bubble." };
  if (value === "auto") {
    return {
      ...fault("a mode of this release", value),
      fix: "auto needs a classifier, which is not built yet.",
    };
  }
  return wrong;
};

const anything: Check = () => undefined;
const disable: Check = (value) =>
  typeof value === "boolean" || value === "disable" ? undefined : fault('true, false or "disable"', value);

const SWITCHES: { readonly [K in keyof Required<SettingsSwitches>]: Check } = {
  disableBypassPermissionsMode: disable,
  disableAutoMode: disable,
  denyInsteadOfPrompting: flag,
  blockReadsOutsideWorkingDirectories: flag,
  blockWritesOutsideWorkingDirectories: flag,
  allowManagedPermissionRulesOnly: (value) =>
    fault("left out here", value, "", "Only the machine's policy and managedSettings may set it."),
};

const MANAGED: typeof SWITCHES = { ...SWITCHES, allowManagedPermissionRulesOnly: flag };

const moment: Check = (value) =>
  typeof value === "string" || typeof value === "number"
    ? undefined
    : fault("a day (2027-01-31), a time with its zone, or epoch milliseconds", value);

const RULE_CHECKS: { readonly [K in keyof Required<RuleObject>]: Check } = {
  rule: text,
  behavior: oneOf(["allow", "deny", "ask"]),
  reason: anyText,
  expires: moment,
  approver: oneOf(["human", "auto"]),
  match: textList,
  notMatch: textList,
};

const ruleObject = shape(
  RULE_CHECKS,
  "an object { rule, behavior, reason?, expires?, approver?, match?, notMatch? }",
  ["rule", "behavior"],
);

/** `options.permissionRules`, and `permissions.rules` of settings. */
export const ruleObjects: Check = (value) =>
  Array.isArray(value) ? firstFault(value, ruleObject) : fault("a list of rule objects", value);

const PERMISSION_CHECKS: { readonly [K in keyof Required<PermissionSettings>]: Check } = {
  allow: textList,
  deny: textList,
  ask: textList,
  rules: ruleObjects,
  defaultMode: mode,
  additionalDirectories: textList,
};

function settingsOf(switches: typeof SWITCHES): Check {
  const checks: { readonly [K in keyof Required<Settings>]: Check } = {
    permissions: shape(
      { ...PERMISSION_CHECKS, ...switches },
      "an object with allow, deny, ask, rules, defaultMode, additionalDirectories",
    ),
    env: record(anyText, "an object of strings"),
    model: text,
    hooks: anything,
    sandbox: anything,
    cleanupPeriodDays: (value) =>
      typeof value === "number" && value >= 1 ? undefined : fault("a number of days, 1 or more", value),
    mcpServers: record(anything, "an object of servers"),
    ...switches,
  };
  return shape(checks, "an object with permissions");
}

const flagObject = settingsOf(SWITCHES);

/** `options.settings`: an object, or the path of a file. */
export const settings: Check = (value) => {
  if (typeof value === "string") return text(value);
  return isJsonObject(value)
    ? flagObject(value)
    : fault("an object with permissions, or the path of a file", value);
};

/** `options.managedSettings`, and `policy` of a host. */
export const managedSettings: Check = settingsOf(MANAGED);

const listOf =
  (values: readonly string[]): Check =>
  (value) =>
    Array.isArray(value)
      ? firstFault(value, oneOf(values))
      : fault(`a list of ${values.map((each) => `"${each}"`).join(", ")}`, value);

/** `options.settingSources`. */
export const settingSources: Check = listOf(SETTING_SOURCES);

/** `options.compat`. */
export const compat: Check = listOf(COMPAT_HOSTS);
