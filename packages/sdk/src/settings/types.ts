import type {
  PermissionMode,
  RuleBehavior,
  RuleSource,
  SettingPlace,
  SourcedRule,
} from "../protocol/index.ts";

/** Files that a session may be told to read. The machine's policy file is not among them: it always counts. */
export const SETTING_SOURCES = ["user", "project", "local"] as const;

export type SettingSource = (typeof SETTING_SOURCES)[number];

/** Other hosts whose folders are read as well: `.claude`, `.qoder`. */
export const COMPAT_HOSTS = ["claude", "qoder"] as const;

export type CompatHost = (typeof COMPAT_HOSTS)[number];

/** An entry of `permissions.rules`: a rule with more about it than its text. */
export interface RuleObject {
  /** The rule: `Bash(git push:*)`. */
  readonly rule: string;
  readonly behavior: RuleBehavior;
  /** Told to the model when the rule denies, and to the person when it asks. */
  readonly reason?: string;
  /** When it ceases to count: ISO 8601 (`2027-01-31`, `2027-01-31T12:00:00Z`) or epoch milliseconds. A day counts to its end, UTC. */
  readonly expires?: string | number;
  /** Who granted it. */
  readonly approver?: "human" | "auto";
  /** Calls that the rule must match, and must not: `Bash(npm test -- -w)`. Tried when the rules are loaded; one that fails stops the load. */
  readonly match?: readonly string[];
  readonly notMatch?: readonly string[];
}

/** What a settings file may say about permissions. */
export interface PermissionSettings {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
  readonly rules?: readonly RuleObject[];
  readonly defaultMode?: PermissionMode | "yolo";
  /** Further working directories; relative ones start at the project root, in user and policy files at the home, in options at `cwd`. */
  readonly additionalDirectories?: readonly string[];
}

/** Switches stand beside `permissions` or inside it; any layer that sets one is obeyed. */
export interface SettingsSwitches {
  readonly disableBypassPermissionsMode?: boolean | "disable";
  readonly disableAutoMode?: boolean | "disable";
  /** As the mode `dontAsk`. */
  readonly denyInsteadOfPrompting?: boolean;
  readonly blockReadsOutsideWorkingDirectories?: boolean;
  readonly blockWritesOutsideWorkingDirectories?: boolean;
  /** Policy only: allow rules of all other layers do not count. */
  readonly allowManagedPermissionRulesOnly?: boolean;
}

/** The content of one settings file, as far as it could be read. */
export interface Settings extends SettingsSwitches {
  readonly permissions?: PermissionSettings & SettingsSwitches;
  readonly env?: Readonly<Record<string, string>>;
  readonly model?: string;
  readonly hooks?: unknown;
  readonly sandbox?: unknown;
  /**
   * Sessions whose last event is older than so many days, 1 or more, are deleted when a session opens, once a day. Only
   * in the files of the user and the machine, and in options. Left out: none is ever deleted by itself.
   */
  readonly cleanupPeriodDays?: number;
  readonly mcpServers?: unknown;
}

/** Something about a settings file that its author should know. */
export interface SettingsFinding {
  /** `unknown-key`, `wrong-type`, `wrong-level`, `unreadable`, `not-trusted`, `not-applied`, `not-here` … */
  readonly code: string;
  readonly severity: "error" | "warning" | "info";
  readonly source: RuleSource;
  readonly file: string;
  /** 1-based. */
  readonly line?: number;
  /** `permissions.alow` */
  readonly key?: string;
  readonly message: string;
  /** What to write instead. */
  readonly fix?: string;
}

/** One file (or object) of settings, with where it came from. */
export interface SettingsLayer {
  readonly source: RuleSource;
  /** The path of the file, or the name of the option (`settings`, `managedSettings`). */
  readonly file: string;
  readonly settings: Settings;
  /** The folder of another host that the file lies in. */
  readonly compat?: CompatHost;
  /** Part of the project's own files: until the workspace is trusted it may only tighten. */
  readonly ofProject: boolean;
  /** The 1-based line of a place (`["permissions", "deny", 0]`); undefined where there is no text. */
  line(path: readonly (string | number)[]): number | undefined;
}

/** What was read. Layers stand in the order of authority: the first that sets a single value wins. */
export interface SettingsRead {
  readonly layers: readonly SettingsLayer[];
  readonly findings: readonly SettingsFinding[];
  /** A file that may hold denies and cannot be read: every call asks until it is mended. Names the file and why. */
  readonly broken?: string;
}

/** What all layers together say about permissions. */
export interface MergedPermissions {
  readonly rules: readonly SourcedRule[];
  /** Absolute directory and the source that adds it; the first source wins. */
  readonly directories: readonly (readonly [path: string, source: RuleSource])[];
  readonly defaultMode?: { readonly mode: PermissionMode; readonly from: SettingPlace };
  readonly disableBypass?: SettingPlace;
  readonly disableAuto?: SettingPlace;
  readonly denyInsteadOfPrompting?: SettingPlace;
  readonly blockReadsOutside?: SettingPlace;
  readonly blockWritesOutside?: SettingPlace;
  /** Allow rules of others than the machine's policy do not count, options and later grants included. */
  readonly managedRulesOnly?: SettingPlace;
  /** What does not count, and why: rules of an untrusted project, `bypassPermissions` in a project file … */
  readonly findings: readonly SettingsFinding[];
}

/** What `resolveSettings()` gives. */
export interface ResolvedSettings {
  /** What counts, of all sources together: rules by list, and each single value as a session would take it. */
  readonly effective: Settings;
  /**
   * Where each value was set: by its key (`permissions.deny`, `env.CI`, `model`), a place for each entry of a list in
   * the order of `effective`.
   */
  readonly provenance: Readonly<Record<string, readonly SettingPlace[]>>;
  /** The files and objects that were read, those with the highest authority first. */
  readonly sources: readonly SettingsSourceRead[];
  /** What is wrong with them, and what does not count. */
  readonly findings: readonly SettingsFinding[];
  /** Files that may forbid something and cannot be read: a session would ask about every call. */
  readonly broken?: string;
}

/** A file or object of settings that was read. */
export interface SettingsSourceRead {
  readonly source: RuleSource;
  readonly file: string;
  /** The folder of another host that it lies in. */
  readonly compat?: CompatHost;
  /** Part of a project that is not trusted: only what forbids or asks counts. */
  readonly tightensOnly: boolean;
}
