import type { LintFinding } from "../../permissions/index.ts";
import type { RuleBehavior } from "../../protocol/index.ts";
import type { SettingSource } from "../../settings/index.ts";
import type { CheckOptions } from "../dry/types.ts";

/** Which settings are looked at. All of it is optional. */
export type LintOptions = Pick<
  CheckOptions,
  "settings" | "settingSources" | "compat" | "cwd" | "home" | "tools" | "platform"
>;

/** A mended rule that was written. */
export interface FixedRule {
  /** The settings file. */
  readonly file: string;
  readonly list: RuleBehavior;
  /** The rule as it stood there. */
  readonly rule: string;
  readonly fix: string;
  /** Written in its place, or beside it. */
  readonly apply: "replace" | "add";
}

/** What `fixSettings()` did, and what is still to be done by hand. */
export interface FixReport {
  readonly fixed: readonly FixedRule[];
  readonly findings: readonly LintFinding[];
}

/** From where a rule is taken. */
export interface RevokeOptions extends Pick<CheckOptions, "compat" | "cwd" | "home" | "platform"> {
  /** The file. Default: whichever holds the rule; an error when several do. */
  readonly from?: SettingSource;
  /** The list. Default `allow`. */
  readonly behavior?: RuleBehavior;
}

/** Whether the rule was there. */
export type RevokeResult =
  | {
      readonly revoked: true;
      /** The files that held it. */
      readonly files: readonly string[];
    }
  | {
      readonly revoked: false;
      /** `several`: files of more than one source hold it, and none was touched. */
      readonly reason: "not_found" | "several";
      /** The places that hold it, in other lists too; else the rules of the list that are most like it. */
      readonly nearest: readonly {
        readonly rule: string;
        readonly behavior: RuleBehavior;
        readonly source: SettingSource;
        readonly file: string;
      }[];
    };
