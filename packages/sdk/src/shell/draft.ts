import type { ShellAssignment, ShellWord, UnknownForm } from "../protocol/index.ts";
import { type FormSet, newFormSet } from "./form-set.ts";

/** A command while it is being gathered. */
export interface CommandDraft {
  index: number;
  text: string;
  words: readonly ShellWord[];
  assignments: readonly ShellAssignment[];
  readonly allowForms: FormSet;
  readonly denyForms: FormSet;
  readonly unknownForms: UnknownForm[];
  carrier: number | undefined;
  transparentCarrier: boolean;
  readOnly: boolean;
  needs: "git-trusted" | "cd-inside" | undefined;
  editLike: boolean;
  bare: boolean;
  callsFunction: boolean;
  /** Carriers whose coverage depends on the inner command: all of them must hold as well. */
  readonly wraps: number[];
  /** git in the read-only table: the line's other parts are looked at once it is whole. */
  git: boolean;
}

export function newDraft(index: number, carrier: number | undefined): CommandDraft {
  return {
    index,
    text: "",
    words: [],
    assignments: [],
    allowForms: newFormSet(),
    denyForms: newFormSet(),
    unknownForms: [],
    carrier,
    transparentCarrier: false,
    readOnly: false,
    needs: undefined,
    editLike: false,
    bare: false,
    callsFunction: false,
    wraps: [],
    git: false,
  };
}
