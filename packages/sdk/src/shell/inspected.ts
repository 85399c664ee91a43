import type { ShellAssignment } from "../protocol/index.ts";
import { assign, opened, type State, type Variable } from "./state.ts";
import type { WordItem } from "./words/decoded.ts";

/** A command whose words are decoded, ready to be judged. */
export interface Inspected {
  readonly items: readonly WordItem[];
  readonly assignments: readonly ShellAssignment[];
  readonly rawAssignments: readonly string[];
  readonly variables: readonly (readonly [string, Variable])[];
  /** `time`, or nothing. */
  readonly prefix: string;
  /** `export` of harmless names only. */
  readonly harmlessExport: boolean;
  readonly underXargs: boolean;
  readonly wrappers: number;
  /** Forms of the carriers: a rule that matches one of them covers this command too. */
  readonly share: readonly string[];
  /** Started by a launcher: nothing that it carries may be allowed in the launcher's place. */
  readonly launched: boolean;
}

/** What an inner line sees: the variables so far, each open to what the command itself sets. */
export function childState(command: Inspected, state: State): State {
  let next: State = { ...state, variables: opened(state.variables) };
  for (const [name, variable] of command.variables)
    next = assign(next, name, { values: variable.values, open: true });
  return next;
}

/** Nothing that is assigned before the command, or by it, changes what runs. */
export function areHarmless(assignments: readonly ShellAssignment[]): boolean {
  // By their places: to go through the frozen list that most commands share makes objects.
  for (let at = 0; at < assignments.length; at += 1) if (assignments[at]?.harmless !== true) return false;
  return true;
}
