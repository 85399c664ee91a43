/** Every mode that a user may name. `yolo` is another name of `bypassPermissions`. */
export const PERMISSION_MODES = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const;

export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** Where a rule or a value came from. The order here is the order of authority for single values, highest first. */
export const PERMISSION_RULE_SOURCES = [
  "policySettings",
  "flagSettings",
  "cliArg",
  "command",
  "session",
  "localSettings",
  "projectSettings",
  "userSettings",
] as const;

export type RuleSource = (typeof PERMISSION_RULE_SOURCES)[number];

export type RuleBehavior = "allow" | "deny" | "ask";

/** A rule as somebody wrote it, and where. */
export interface SourcedRule {
  /** The text, as written. */
  readonly text: string;
  readonly behavior: RuleBehavior;
  readonly source: RuleSource;
  /** The settings file or option that holds it (`allowedTools`, `.castellan/settings.json`). */
  readonly file?: string;
  /** 1-based line in `file`, or 1-based position in the option's list. */
  readonly position?: number;
  /** Given to the model when the rule denies. */
  readonly reason?: string;
  /** Epoch milliseconds after which the rule no longer counts. */
  readonly expires?: number;
  /** Who granted it. */
  readonly approver?: "human" | "auto";
  /** What a leading single `/` of a path means, where it is not the root of the source (files of other hosts). */
  readonly slashRoot?: string;
}

/** Where a single setting was made. */
export interface SettingPlace {
  readonly source: RuleSource;
  /** The settings file or option. */
  readonly file?: string;
  /** 1-based line in `file`. */
  readonly position?: number;
}

/**
 * All that a decision may depend on besides the call. Immutable: a change makes a new context.
 * Directories are absolute. `rules` holds every source together; their order changes nothing.
 */
export interface PermissionContext {
  readonly mode: PermissionMode;
  /** The session's start directory: anchors of `./x` and `a/b` rules; no `cd` moves it. */
  readonly startDirectory: string;
  /** `startDirectory` with links followed. */
  readonly startDirectoryReal: string;
  /** Nearest folder upward that holds `.castellan`, else the start directory: the anchor of `/x` rules. */
  readonly projectRoot: string;
  /** What `~` means, in rules, in the paths of tools and to the shell. */
  readonly home: string;
  /** The person's own home, where the shell has been given another: `~` in deny and ask rules means both. */
  readonly ownHome?: string;
  /**
   * Directory -> the same with links followed, for `home`, `projectRoot` and added directories where the two
   * differ. Anchors of rules count in both forms.
   */
  readonly realForms?: ReadonlyMap<string, string>;
  /** Added directory (absolute) -> the source that added it. */
  readonly additionalDirectories: ReadonlyMap<string, RuleSource>;
  readonly rules: readonly SourcedRule[];
  /** The danger flag was given at start. */
  readonly isBypassAvailable: boolean;
  readonly planMode: "ceiling" | "advisory";
  /** The mode to go back to when plan mode ends. */
  readonly prePlanMode?: PermissionMode;
  /** Background work that can show nothing: an ask becomes a deny. */
  readonly avoidPrompts: boolean;
  readonly trusted: boolean;
  /** File names are compared without case on this disk (allow rules only; deny always does). */
  readonly caseInsensitiveFiles: boolean;
  /** A settings file that may hold denies could not be read: everything asks. */
  readonly brokenSettings?: string;
  /** Reads outside the working directories are denied; the place that says so. */
  readonly blockReadsOutside?: SettingPlace;
  /** Writes outside the working directories are denied; the place that says so. */
  readonly blockWritesOutside?: SettingPlace;
  /** bypassPermissions may not be entered, danger flag or not; the place that says so. */
  readonly bypassDisabled?: SettingPlace;
  /** Every ask becomes a deny, whatever the mode; the place that says so. */
  readonly denyInsteadOfPrompting?: SettingPlace;
  /** Only the machine's policy may hold allow rules; the place that says so. Such rules of others are in no context. */
  readonly managedRulesOnly?: SettingPlace;
}

/** Where a remembered rule goes. */
export type UpdateDestination = "session" | "localSettings" | "projectSettings" | "userSettings" | "cliArg";

export interface PermissionRuleValue {
  readonly toolName: string;
  readonly ruleContent?: string;
}

/** A change of what is allowed, as suggestions offer it and `canUseTool` may return it. */
export type PermissionUpdate =
  | {
      readonly type: "addRules" | "replaceRules" | "removeRules";
      readonly rules: readonly PermissionRuleValue[];
      readonly behavior: RuleBehavior;
      readonly destination: UpdateDestination;
    }
  | {
      readonly type: "setMode";
      readonly mode: PermissionMode | "yolo";
      readonly destination: UpdateDestination;
    }
  | {
      readonly type: "addDirectories" | "removeDirectories";
      readonly directories: readonly string[];
      readonly destination: UpdateDestination;
    };
