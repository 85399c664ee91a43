import type { RuleSource, SourcedRule } from "../../protocol/index.ts";
import type { FindingCode } from "../policy/finding-codes.ts";

/** What is wrong with a rule, a hook or a key of the settings. */
export interface LintFinding {
  /** One of the table in docs/lint.md, or the code of a settings finding. */
  readonly code: FindingCode | (string & {});
  /** `error`: it does not do what it says; `warning`: it does less or more than it looks; `info`: worth to know. */
  readonly severity: "error" | "warning" | "info";
  /** The rule as written (secrets blotted out), the matcher of a hook, or the key. */
  readonly rule: string;
  readonly list: "allow" | "deny" | "ask" | "hooks" | "settings";
  readonly source: RuleSource;
  /** The settings file or option. */
  readonly file?: string;
  /** 1-based line in a settings file. */
  readonly line?: number;
  /** 1-based entry in the list of an option. */
  readonly entry?: number;
  readonly message: string;
  /** The mended rule. */
  readonly fix?: string;
  /**
   * How `castellan permissions lint --fix` writes `fix`: in place of the rule, or beside it where the rule as it stands
   * binds something else. Absent: it would loosen, or is a matter of taste, and is only shown.
   */
  readonly apply?: "replace" | "add";
}

/** The hooks of one settings file. */
export interface LintHooks {
  /** The value of the key `hooks`, as it was read. */
  readonly value: unknown;
  readonly source: RuleSource;
  readonly file?: string;
  /** The line of a place below `hooks`: `["PreToolUse", 0]`. */
  readonly line?: (path: readonly (string | number)[]) => number | undefined;
}

/** What is looked at. Only `rules` must be there. */
export interface LintInput {
  readonly rules: readonly SourcedRule[];
  readonly hooks?: readonly LintHooks[];
  /** Names of tools beside the built-in ones. */
  readonly toolNames?: Iterable<string>;
  /** Commands run in a sandbox, which keeps them from denied files. Default false. */
  readonly sandboxed?: boolean;
  /** Absolute; where the session starts. Default `/project`. */
  readonly startDirectory?: string;
  /** Absolute. Default: the start directory. */
  readonly projectRoot?: string;
  /** Absolute. Default `/home/user`. */
  readonly home?: string;
  /** Epoch milliseconds; without it no rule has expired. */
  readonly now?: number;
  /** Why a matcher is no pattern; undefined for one that is. Without it patterns are not compiled. */
  readonly matcherFault?: (matcher: string) => string | undefined;
}
