import { parseRuleList, placeOf } from "../../permissions/index.ts";
import type { PermissionMode, RuleSource, SourcedRule } from "../../protocol/index.ts";
import type { SessionState } from "../../sessions/index.ts";
import type { MergedPermissions, Settings } from "../../settings/index.ts";
import { badOption, shown } from "../options/fault.ts";
import type { Options } from "../options/types.ts";

/** What options, settings and (on a resume) the log say about permissions before the first call. */
export interface StartingRules {
  readonly rules: readonly SourcedRule[];
  /** Absolute directory and who added it. */
  readonly directories: readonly (readonly [path: string, source: RuleSource])[];
  readonly mode: PermissionMode;
  /** Told to the user: a mode that is not given, or not given back. */
  readonly warning?: string;
}

/** What was read before. */
export interface RuleParts {
  readonly options: Options;
  readonly state: SessionState;
  readonly merged: MergedPermissions;
  /** The flag layer alone. */
  readonly flag: Settings;
  /** It begins as a copy of another session: what that one forbids or asks about stays, whatever the options name. */
  readonly isFork: boolean;
  absolute(path: string): string;
}

/**
 * Rules by list. On a resume each list that the options leave out holds as it was recorded, so that going on
 * never loosens; a list that they do name replaces the recorded one. In a fork it stands beside the recorded one, as far
 * as that forbids or asks. Settings files are read anew.
 *
 * @throws CastellanError `invalid_option` for a mode that the options name and that may not be had
 */
export function startingRules(parts: RuleParts): StartingRules {
  const { options, state, merged, isFork, absolute } = parts;
  const { additionalDirectories = [] } = options;
  const given = optionRules(options);
  const now = new Set([...given, ...merged.rules].map(inShort));
  const stays = (rule: SourcedRule): boolean =>
    isFork && rule.behavior !== "allow" && !now.has(inShort(rule));
  const kept = (state.configured?.rules ?? []).filter(
    (rule) =>
      (!isGiven(rule, parts) || stays(rule)) && !state.removedRules.some((gone) => isSame(rule, gone)),
  );
  const directories = new Map<string, RuleSource>(
    state.additionalDirectories.filter(([, source]) => !OF_FILES.has(source)),
  );
  for (const [path, source] of merged.directories) directories.set(path, source);
  for (const path of additionalDirectories) directories.set(absolute(path), "cliArg");
  const rules = [...merged.rules, ...given, ...kept, ...state.sessionRules];
  return { rules, directories: [...directories], ...startingMode(parts) };
}

/** The rules that options name one by one. */
export function optionRules(
  options: Pick<Options, "allowedTools" | "disallowedTools">,
): readonly SourcedRule[] {
  const { allowedTools = [], disallowedTools = [] } = options;
  return [
    ...parseRuleList(allowedTools, "allow", "cliArg", "allowedTools"),
    ...parseRuleList(disallowedTools, "deny", "cliArg", "disallowedTools"),
  ];
}

/** Sources whose directories are read anew each time. */
const OF_FILES: ReadonlySet<RuleSource> = new Set([
  "policySettings",
  "localSettings",
  "projectSettings",
  "userSettings",
]);

/** The options hold the list that a recorded rule stood in. */
function isGiven({ source, behavior, file }: SourcedRule, { options, flag }: RuleParts): boolean {
  if (file === "permissionRules") return options.permissionRules !== undefined;
  if (source === "cliArg" && behavior === "allow") return options.allowedTools !== undefined;
  if (source === "cliArg" && behavior === "deny") return options.disallowedTools !== undefined;
  if (source !== "flagSettings") return false;
  const { permissions = {} } = flag;
  return (
    permissions[behavior] !== undefined ||
    (permissions.rules ?? []).some((object) => object.behavior === behavior)
  );
}

const inShort = ({ source, behavior, text }: SourcedRule): string => `${source} ${behavior} ${text}`;

function isSame(a: SourcedRule, b: SourcedRule): boolean {
  return a.text === b.text && a.behavior === b.behavior && a.source === b.source && a.file === b.file;
}

/** The mode that is wished for: the machine's policy, the options, what the log says, other settings. */
function startingMode(parts: RuleParts): Pick<StartingRules, "mode" | "warning"> {
  const { options, state, merged } = parts;
  const { permissionMode } = options;
  const set = merged.defaultMode;
  if (set?.from.source === "policySettings") return ofPolicy(set.mode, placeOf(set.from), parts);
  if (permissionMode !== undefined) {
    const mode = permissionMode === "yolo" ? "bypassPermissions" : permissionMode;
    refuseDisabled(mode, "permissionMode", parts);
    return { mode };
  }
  if (set?.from.source === "flagSettings") {
    refuseDisabled(set.mode, "settings.permissions.defaultMode", parts);
    return permitted(set.mode, `permissions.defaultMode (${placeOf(set.from)})`, parts);
  }
  if (state.configured !== undefined) return goingOn(parts);
  return set === undefined
    ? { mode: "default" }
    : permitted(set.mode, `permissions.defaultMode (${placeOf(set.from)})`, parts);
}

function ofPolicy(
  mode: PermissionMode,
  place: string,
  parts: RuleParts,
): Pick<StartingRules, "mode" | "warning"> {
  const start = permitted(mode, `permissions.defaultMode (${place})`, parts);
  const { permissionMode = start.mode } = parts.options;
  if (permissionMode === start.mode || start.warning !== undefined) return start;
  const warning = `The machine's policy (${place}) sets the mode: it is ${start.mode}, not ${permissionMode}.`;
  return { ...start, warning };
}

function goingOn({ options, state, merged }: RuleParts): Pick<StartingRules, "mode" | "warning"> {
  const { mode } = state;
  if (mode !== "bypassPermissions") return { mode };
  const { disableBypass } = merged;
  if (options.allowDangerouslySkipPermissions === true && disableBypass === undefined) return { mode };
  const why =
    disableBypass === undefined
      ? "allowDangerouslySkipPermissions was not given again"
      : `disableBypassPermissionsMode (${placeOf(disableBypass)}) forbids it`;
  return {
    mode: "default",
    warning: `The session ran in bypassPermissions; it goes on in default, because ${why}.`,
  };
}

/**
 * A mode that settings name.
 *
 * @throws CastellanError `invalid_option` for bypassPermissions without the danger flag
 */
function permitted(
  mode: PermissionMode,
  place: string,
  { options, merged }: RuleParts,
): Pick<StartingRules, "mode" | "warning"> {
  if (mode !== "bypassPermissions") return { mode };
  const { disableBypass } = merged;
  if (disableBypass !== undefined) {
    const by = `disableBypassPermissionsMode (${placeOf(disableBypass)})`;
    return {
      mode: "default",
      warning: `${place} is bypassPermissions, which ${by} forbids. The mode is default.`,
    };
  }
  if (options.allowDangerouslySkipPermissions === true) return { mode };
  throw badOption(
    "permissionMode",
    `${place} is bypassPermissions, which runs every call without asking.`,
    "Set allowDangerouslySkipPermissions: true, or permissionMode to another mode.",
  );
}

/** @throws CastellanError `invalid_option` */
function refuseDisabled(mode: PermissionMode, option: string, { merged }: RuleParts): void {
  const { disableBypass } = merged;
  if (mode !== "bypassPermissions" || disableBypass === undefined) return;
  throw badOption(
    option,
    `options.${option} is ${shown(mode)}, which disableBypassPermissionsMode (${placeOf(disableBypass)}) forbids.`,
    "Choose another mode.",
  );
}
