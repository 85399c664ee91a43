import type { Subject } from "../subject.ts";

/** Finds another rule of a list that names all that a rule names. What it finds is so; it need not find all. */
export interface CoverIndex {
  cover(subject: Subject): Subject | undefined;
}

/** So many candidates of one kind are tried for one rule: time stays in proportion to the number of rules. */
export const MOST_CANDIDATES = 64;
