import type { TouchedPath } from "../special/judgement.ts";
import type { Decoded } from "../words/decoded.ts";

/** A command that another one carries. */
export interface Carried {
  readonly words: readonly Decoded[];
  /** An allow rule sees through the carrier. */
  readonly transparent: boolean;
  /** It may start in another directory. */
  readonly moved: boolean;
  /** Unknown words are added when it runs. */
  readonly fed?: true;
}

export interface Carrying {
  readonly commands: readonly Carried[];
  /** Whole lines handed to a shell; undefined where the text is not known. */
  readonly lines: readonly (string | undefined)[];
  /** Names that it sets for the inner command. */
  readonly assigns: readonly Decoded[];
  /** A word before the inner command may be several, so which command runs is not known. */
  readonly dynamic?: true;
  /** Files that it reads or writes itself. */
  readonly touches?: readonly TouchedPath[];
  /** Where the command starts, as far as an option says it. */
  readonly places?: readonly Decoded[];
  /** The options and operands before the inner command are all understood. */
  readonly sure: boolean;
}

export const NO_CARRYING: Carrying = { commands: [], lines: [], assigns: [], sure: true };
