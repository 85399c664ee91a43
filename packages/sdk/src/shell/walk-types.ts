import type { ParsedScript, Statement } from "unbash";
import type { Opacity, ShellHost, ShellLink, ShellPath } from "../protocol/index.ts";
import type { CommandDraft } from "./draft.ts";
import type { Facts } from "./facts.ts";
import type { Inspected } from "./inspected.ts";
import type { OpacityCode } from "./opacity.ts";
import type { Outcome, State } from "./state.ts";
import type { Node } from "./tree.ts";
import type { Decoded } from "./words/decoded.ts";

/** A script inside a word. It is parsed when it is first asked for. */
export interface Substitution {
  readonly script?: ParsedScript | undefined;
  readonly text: string;
}

/** Everything one analysis gathers. The only thing that is mutated while walking. */
export interface Walk {
  readonly drafts: CommandDraft[];
  readonly opaque: Opacity[];
  readonly paths: ShellPath[];
  readonly hosts: ShellHost[];
  /** What each of `paths` is called, for links that turn up later. */
  readonly pathWords: Decoded[];
  /** What may have become a link by now. */
  links: readonly ShellLink[];
  /** An archive, a checkout and the like: any place may have become a link. */
  unpacked: boolean;
  /** Ranges of `paths` that are touched at some later time: jobs, traps, bodies of functions. */
  readonly late: (readonly [first: number, end: number])[];
  /** Counts what runs beside or after what stands behind it: pipes, loops. */
  unordered: number;
  /** Directories that the line may go to, as far as they are literal. */
  visited: ReadonlySet<string>;
  readonly facts: Facts;
  /** Values that may still be put in. */
  variantsLeft: number;
  /** Text that inner lines may still have. */
  innerTextLeft: number;
  formTextLeft: number;
  /** Text of substitutions that may still be walked. */
  walkedTextLeft: number;
  /** How deep the walk is in compound commands and substitutions. */
  depth: number;
  /** Nodes that may still be looked through for what a loop changes. */
  scanLeft: number;
  /** Commands that launchers start: they count as commands, and stand nowhere. */
  launched: number;
  /** True once commands were left out. */
  full: boolean;
  block(code: OpacityCode, text: string): void;
  /** Walks a substitution's script in a sub-shell. */
  substitution(part: Substitution, state: State): void;
  /** The ways back into the walk, for what holds statements or commands inside: imports go one way. */
  node(node: Node, state: State): Outcome;
  statements(statements: readonly Statement[], state: State): State;
  inspect(command: Inspected, state: State, draft: CommandDraft): void;
  /** Walks a script given as text: `sh -c`, `eval`, a here-document to a shell. */
  innerLine(text: string, state: State, carrier: number): void;
}
