import { parseRuleList } from "../permissions/index.ts";
import type { PermissionMode, RuleSource, SourcedRule } from "../protocol/index.ts";
import type { SessionState } from "../sessions/index.ts";
import type { Options } from "./options/types.ts";

/** What the options (and, on a resume, the log) say about permissions before the first call. */
export interface StartingRules {
  readonly rules: readonly SourcedRule[];
  /** Absolute directory and who added it. */
  readonly directories: readonly (readonly [path: string, source: RuleSource])[];
  readonly mode: PermissionMode;
  /** Told to the user: a recorded mode that is not given back without the danger flag. */
  readonly warning?: string;
}

/**
 * Rules by source. On a resume each source that the options leave out holds as it was recorded,
 * so that going on never loosens; what the options do name replaces the recorded list of that source.
 */
export function startingRules(
  options: Options,
  state: SessionState,
  absolute: (path: string) => string,
): StartingRules {
  const recorded = state.configured;
  const settings = options.settings?.permissions;
  const given: SourcedRule[] = [
    ...parseRuleList(options.allowedTools ?? [], "allow", "cliArg", "allowedTools"),
    ...parseRuleList(options.disallowedTools ?? [], "deny", "cliArg", "disallowedTools"),
    ...parseRuleList(settings?.allow ?? [], "allow", "flagSettings", "settings.permissions.allow"),
    ...parseRuleList(settings?.deny ?? [], "deny", "flagSettings", "settings.permissions.deny"),
    ...parseRuleList(settings?.ask ?? [], "ask", "flagSettings", "settings.permissions.ask"),
  ];
  const namesCliArg = options.allowedTools !== undefined || options.disallowedTools !== undefined;
  const namesFlag = options.settings !== undefined;
  const kept = (recorded?.rules ?? []).filter(
    (rule) => (rule.source === "cliArg" && !namesCliArg) || (rule.source === "flagSettings" && !namesFlag),
  );
  const directories = new Map<string, RuleSource>([
    ...(recorded?.additionalDirectories ?? []),
    ...state.additionalDirectories,
  ]);
  for (const path of settings?.additionalDirectories ?? []) directories.set(absolute(path), "flagSettings");
  for (const path of options.additionalDirectories ?? []) directories.set(absolute(path), "cliArg");
  return {
    rules: [...given, ...kept, ...state.sessionRules],
    directories: [...directories],
    ...startingMode(options, state),
  };
}

function startingMode(options: Options, state: SessionState): Pick<StartingRules, "mode" | "warning"> {
  const named = options.permissionMode ?? options.settings?.permissions?.defaultMode;
  if (named !== undefined) return { mode: named === "yolo" ? "bypassPermissions" : named };
  const mode = state.configured === undefined ? "default" : state.mode;
  if (mode !== "bypassPermissions" || options.allowDangerouslySkipPermissions === true) return { mode };
  return {
    mode: "default",
    warning:
      "The session ran in bypassPermissions; it goes on in default, because allowDangerouslySkipPermissions was not given again.",
  };
}
