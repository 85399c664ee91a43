import type { Platform } from "../../platform/index.ts";
import type { JsonObject, PermissionMode, RuleBehavior, RuleSource } from "../../protocol/index.ts";
import type { CompatHost, SettingSource, Settings } from "../../settings/index.ts";
import type { AnyTool } from "../../tools/index.ts";

/** A call as a model would make it. */
export interface DryCall {
  /** A built-in name or alias, `mcp__server__tool`, or the name of one of `options.tools`. */
  readonly tool: string;
  readonly input: JsonObject;
}

/** Under what a call is judged. All of it is optional; nothing is run, and nobody is asked. */
export interface CheckOptions {
  /** Settings files (JSONC) or objects; each counts as the flag layer. */
  readonly settings?: string | Settings | readonly (string | Settings)[];
  /** Which settings files are read beside the machine's policy, which always counts. Default: none, as in a session. */
  readonly settingSources?: readonly SettingSource[];
  /** Other hosts whose folders are read as well. Default: none. */
  readonly compat?: readonly CompatHost[];
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  /** Relative ones start at `cwd`. */
  readonly additionalDirectories?: readonly string[];
  /** Taken as if the danger flag had been given. Default: what the settings say, else `default`. */
  readonly mode?: PermissionMode | "yolo";
  /** As work that can show nothing and ask nobody: what would be a question is a deny. Default false. */
  readonly avoidPrompts?: boolean;
  /** The start directory and the shell's current one. Default: the process's. */
  readonly cwd?: string;
  /** What `~` means. Default: the home directory of the user. */
  readonly home?: string;
  /** The project's own allow rules count, and git's read-only commands need no rule. Default: what `castellan trust` recorded. */
  readonly trusted?: boolean;
  /** Tools of your own, beside the built-in ones. They are not run; their `checkPermissions` is. */
  readonly tools?: readonly AnyTool[];
  /** Told of what is wrong with settings and rules. */
  readonly onFinding?: (finding: PolicyFinding) => void;
  /** Replaces parts of the ambient world (disk, home, environment). */
  readonly platform?: Partial<Platform>;
}

/** Something about settings or a rule that its author should know. */
export interface PolicyFinding {
  readonly severity: "error" | "warning" | "info";
  readonly source: RuleSource;
  /** The settings file or option. */
  readonly file?: string;
  /** 1-based line in `file`, or entry in the list of an option. */
  readonly position?: number;
  /** The rule as written, where it is about a rule. */
  readonly rule?: string;
  /** `permissions.alow`, where it is about a key. */
  readonly key?: string;
  readonly message: string;
  /** What to write instead. */
  readonly fix?: string;
}

/** A rule that counts, with where it was written. */
export interface ListedRule {
  /** As written: `Bash(git push:*)`. */
  readonly rule: string;
  readonly behavior: RuleBehavior;
  readonly source: RuleSource;
  /** The settings file or option. */
  readonly file?: string;
  /** 1-based line in a settings file. */
  readonly line?: number;
  /** 1-based entry in the list of an option. */
  readonly entry?: number;
  readonly reason?: string;
  readonly approver?: "human" | "auto";
  /** ISO 8601. */
  readonly expires?: string;
  /** It has expired and counts no more. */
  readonly expired?: true;
}

/** Everything that holds, before the first call. */
export interface RuleListing {
  readonly mode: PermissionMode;
  readonly trusted: boolean;
  /** Absolute. */
  readonly projectRoot: string;
  /** Added working directories and who added each. */
  readonly additionalDirectories: readonly { readonly path: string; readonly source: RuleSource }[];
  /** Deny first, then ask, then allow. */
  readonly rules: readonly ListedRule[];
  readonly findings: readonly PolicyFinding[];
}

/** The settings of a case, each as the content of the file of that layer. */
export type CaseSettings = Readonly<
  Partial<Record<"user" | "project" | "local" | "flag" | "policy", Settings>>
>;

/** One test of a policy: a call, and what must come of it. No disk is read for it. */
export interface PolicyCase {
  /** A name of your choice; each is used once. */
  readonly id: string;
  readonly settings?: CaseSettings;
  readonly options?: Pick<CheckOptions, "allowedTools" | "disallowedTools" | "additionalDirectories">;
  /** Taken as if the danger flag had been given. */
  readonly mode: PermissionMode | "yolo";
  /** Absolute: the start directory and the shell's current one. */
  readonly cwd: string;
  /** Absolute. Default `/home/user`. */
  readonly home?: string;
  /** Files that exist: text by path, `-> target` for a link. Else nothing exists but cwd, home and the project's `.git`. */
  readonly fs?: Readonly<Record<string, string>>;
  /** Default true. */
  readonly trusted?: boolean;
  readonly call: DryCall;
  /** `allow`, `ask` or `deny`; several with `|` between them: `ask|deny`. */
  readonly want: string;
}

/** A case that came to something else. */
export interface FailedCase {
  readonly id: string;
  readonly want: string;
  /** `invalid`: the input has a key that the tool does not know, or lacks one, so that no call was tested. */
  readonly got: "allow" | "ask" | "deny" | "invalid";
  readonly reason: string;
}

/** What `testPolicy()` gives. */
export interface PolicyReport {
  readonly total: number;
  readonly passed: number;
  readonly failed: readonly FailedCase[];
}

export interface TestPolicyOptions {
  /** How messages name a case. Default `cases[3]`. */
  readonly where?: (index: number) => string;
  /** Tools of your own, beside the built-in ones. */
  readonly tools?: readonly AnyTool[];
}
