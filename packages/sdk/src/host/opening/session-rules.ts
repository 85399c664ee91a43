import { parseRuleList } from "../../permissions/index.ts";
import type { PermissionMode, RuleBehavior, RuleSource, SourcedRule } from "../../protocol/index.ts";
import type { SessionState } from "../../sessions/index.ts";
import type { Options } from "../options/types.ts";

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
 * Rules by list. On a resume each list that the options leave out holds as it was recorded, so that going on
 * never loosens; a list that they do name replaces the recorded one.
 */
export function startingRules(
  options: Options,
  state: SessionState,
  absolute: (path: string) => string,
): StartingRules {
  const recorded = state.configured;
  const settings = options.settings?.permissions;
  const rules: SourcedRule[] = [];
  const kept = (recorded?.rules ?? []).filter(
    (rule) =>
      !LISTS.some((list) => list.given(options) !== undefined && isOf(rule, list)) &&
      !state.removedRules.some((gone) => isSame(rule, gone)),
  );
  for (const list of LISTS) {
    rules.push(...parseRuleList(list.given(options) ?? [], list.behavior, list.source, list.file));
  }
  const directories = new Map<string, RuleSource>(state.additionalDirectories);
  for (const path of settings?.additionalDirectories ?? []) directories.set(absolute(path), "flagSettings");
  for (const path of options.additionalDirectories ?? []) directories.set(absolute(path), "cliArg");
  return {
    rules: [...rules, ...kept, ...state.sessionRules],
    directories: [...directories],
    ...startingMode(options, state),
  };
}

/** A list of rules in the options. */
interface RuleOption {
  readonly source: RuleSource;
  readonly behavior: RuleBehavior;
  readonly file: string;
  given(options: Options): readonly string[] | undefined;
}

const LISTS: readonly RuleOption[] = [
  { source: "cliArg", behavior: "allow", file: "allowedTools", given: (options) => options.allowedTools },
  {
    source: "cliArg",
    behavior: "deny",
    file: "disallowedTools",
    given: (options) => options.disallowedTools,
  },
  ...(["allow", "deny", "ask"] as const).map(
    (behavior): RuleOption => ({
      source: "flagSettings",
      behavior,
      file: `settings.permissions.${behavior}`,
      given: (options) => options.settings?.permissions?.[behavior],
    }),
  ),
];

function isOf(rule: SourcedRule, list: RuleOption): boolean {
  return rule.source === list.source && rule.behavior === list.behavior;
}

function isSame(a: SourcedRule, b: SourcedRule): boolean {
  return a.text === b.text && a.behavior === b.behavior && a.source === b.source && a.file === b.file;
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
