import type { ShellAssignment, ShellWord, UnknownForm } from "../protocol/index.ts";
import { addForm, type FormSet, newFormSet } from "./form-set.ts";
import { withOne } from "./with-one.ts";

/** A command while it is being gathered. */
export interface CommandDraft {
  index: number;
  text: string;
  words: readonly ShellWord[];
  assignments: readonly ShellAssignment[];
  readonly allowForms: FormSet;
  readonly denyForms: FormSet;
  /** Grows by `addUnknownForm`. */
  unknownForms: readonly UnknownForm[];
  carrier: number | undefined;
  transparentCarrier: boolean;
  readOnly: boolean;
  needs: "git-trusted" | "cd-inside" | undefined;
  editLike: boolean;
  bare: boolean;
  callsFunction: boolean;
  /** Carriers whose coverage depends on the inner command: all of them must hold as well. */
  wraps: readonly number[];
  /** git in the read-only table: the line's other parts are looked at once it is whole. */
  git: boolean;
}

/** Many share it, analyses that were given away too. */
const NONE: readonly never[] = Object.freeze([]);

export function newDraft(index: number, carrier: number | undefined): CommandDraft {
  return {
    index,
    text: "",
    words: NONE,
    assignments: NONE,
    allowForms: newFormSet(),
    denyForms: newFormSet(),
    unknownForms: NONE,
    carrier,
    transparentCarrier: false,
    readOnly: false,
    needs: undefined,
    editLike: false,
    bare: false,
    callsFunction: false,
    wraps: NONE,
    git: false,
  };
}

export function addUnknownForm(draft: CommandDraft, form: UnknownForm): void {
  draft.unknownForms = withOne(draft.unknownForms, form);
}

/** Forms of another command, which then are tried for this one as well. */
export function addShared(forms: readonly string[], draft: CommandDraft): void {
  for (const form of forms) {
    addForm(draft.allowForms, form);
    addForm(draft.denyForms, form);
  }
}
