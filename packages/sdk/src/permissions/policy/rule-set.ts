import type { HostPattern } from "../rule/host-pattern.ts";
import type { BoundRule } from "./bound-rule.ts";
import type { McpIndex } from "./mcp-index.ts";
import type { PathIndex } from "./path-index.ts";
import type { TextIndex, TextRule } from "./text-index.ts";

export interface HostRule extends BoundRule {
  readonly pattern: HostPattern;
}

/** All rules of one behaviour, each where a decision looks for it. */
export interface RuleSet {
  /** Rules on a whole tool. Keys are exact names for allow, folded names for deny and ask. */
  readonly whole: ReadonlyMap<string, readonly BoundRule[]>;
  /** Rules that bind every tool (`*`); always empty for allow. */
  readonly every: readonly BoundRule[];
  readonly mcp: McpIndex;
  readonly bash: TextIndex;
  readonly read: PathIndex;
  readonly edit: PathIndex;
  /** The indexes whose rules say something about a read: for allow those on edits too. */
  readonly onRead: readonly PathIndex[];
  /** The same for what is written or removed. A Read deny forbids to write there, a Read ask does not ask about it. */
  readonly onWrite: readonly PathIndex[];
  readonly domains: readonly HostRule[];
  /** `Agent(type)`, `Skill(name)`, `custom(pattern)`, by the tool's name as in `whole`. */
  readonly names: ReadonlyMap<string, readonly TextRule[]>;
}
