import type {
  ResolvedPathTarget,
  ResolvedTarget,
  ShellAnalysis,
  ShellCommand,
  SourcedRule,
} from "../../protocol/index.ts";

/** A part of a call that nothing allows yet. */
export type UncoveredPart =
  | { readonly kind: "opaque"; readonly code: string; readonly detail: string; readonly line: string }
  | { readonly kind: "command"; readonly command: ShellCommand; readonly analysis: ShellAnalysis }
  | { readonly kind: "path"; readonly target: ResolvedPathTarget; readonly need: "read" | "edit" }
  | { readonly kind: "target"; readonly target: Exclude<ResolvedTarget, { kind: "path" | "command" }> }
  /** Only a rule on the whole tool would settle it: there is nothing that rules could be compared with. */
  | { readonly kind: "tool" };

/** What came of looking for a cover of every part of a call. */
export interface Coverage {
  readonly uncovered: readonly UncoveredPart[];
  /** The first rule that covered something; absent where no rule was needed. */
  readonly rule?: SourcedRule;
  /** Something is covered only because the mode accepts edits. */
  readonly byMode: boolean;
}
