import type { Carried } from "./carriers/carrying.ts";
import type { CommandDraft } from "./draft.ts";
import { childState, type Inspected } from "./inspected.ts";
import type { State } from "./state.ts";
import type { Walk } from "./walk-types.ts";

/** Lines that a command hands to a shell; undefined where the text is not known. */
export function walkLines(
  lines: readonly (string | undefined)[],
  command: Inspected,
  walk: Walk,
  state: State,
  draft: CommandDraft,
): void {
  for (const line of lines) {
    if (line === undefined) walk.block("dynamic-script", draft.text);
    else walk.innerLine(line, childState(command, state), draft.index);
  }
}

/** Inspects a command inside another one: it shares the forms of the whole. */
export function inspectInner(
  command: Inspected,
  { words, moved, fed }: Carried,
  launched: boolean,
  walk: Walk,
  state: State,
  drafts: { readonly outer: CommandDraft; readonly inner: CommandDraft },
): void {
  walk.inspect(
    {
      items: words,
      assignments: [],
      rawAssignments: [],
      variables: command.variables,
      prefix: "",
      harmlessExport: false,
      underXargs: fed === true || command.underXargs,
      wrappers: command.wrappers + 1,
      share: [...drafts.outer.allowForms.list],
      launched,
    },
    moved ? { ...state, from: undefined } : state,
    drafts.inner,
  );
}
