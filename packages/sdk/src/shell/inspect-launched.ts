import { launchedBy } from "./carriers/launched.ts";
import type { Decoded } from "./decoded.ts";
import { addUnknownForm, type CommandDraft, newDraft } from "./draft.ts";
import { addForm } from "./form-set.ts";
import { childState, type Inspected } from "./inspected.ts";
import { MAX_COMMANDS, MAX_UNKNOWN_FORMS, MAX_WRAPPERS } from "./limits.ts";
import { addPath } from "./paths.ts";
import type { State } from "./state.ts";
import type { Walk } from "./walk-types.ts";

const NONE: readonly never[] = Object.freeze([]);

/**
 * What a launcher starts is no command of its own: its texts are tried for deny and ask as further texts of the
 * launcher, and its paths are the launcher's. So a rule for what is started allows nothing.
 */
export function inspectLaunched(
  command: Inspected,
  name: string,
  rest: readonly Decoded[],
  walk: Walk,
  state: State,
  draft: CommandDraft,
): void {
  for (const launched of launchedBy(name, rest)) {
    walk.unordered += 1;
    if (launched.opaque === true) walk.block("dynamic-script", draft.text);
    if (launched.dynamic === true) walk.block("dynamic-command", draft.text);
    if (launched.fed === true && state.input.kind === "unknown") walk.block("fed-interpreter", draft.text);
    for (const { access, word } of launched.touches ?? [])
      addPath(walk, state, word, { access, by: "operand", command: draft.index });
    for (const line of launched.lines) {
      if (line === undefined) walk.block("dynamic-script", draft.text);
      else walk.innerLine(line, childState(command, state), draft.index);
    }
    for (const { words, moved, fed } of launched.commands) {
      if (command.wrappers >= MAX_WRAPPERS) {
        walk.block("nesting", draft.text);
        return;
      }
      if (walk.drafts.length + walk.launched >= MAX_COMMANDS) {
        walk.block("too-many", draft.text);
        return;
      }
      walk.launched += 1;
      const started = newDraft(draft.index, draft.carrier);
      walk.inspect(
        {
          items: words,
          assignments: NONE,
          rawAssignments: NONE,
          variables: command.variables,
          prefix: "",
          harmlessExport: false,
          underXargs: fed === true || command.underXargs,
          wrappers: command.wrappers + 1,
          share: [...draft.allowForms.list],
          launched: true,
        },
        moved ? { ...state, from: undefined } : state,
        started,
      );
      merge(started, walk, draft);
    }
  }
}

function merge(started: CommandDraft, walk: Walk, draft: CommandDraft): void {
  for (const form of started.denyForms.list) addForm(draft.denyForms, form);
  for (const form of started.unknownForms) {
    if (draft.unknownForms.length < MAX_UNKNOWN_FORMS) addUnknownForm(draft, form);
    else walk.block("too-many", draft.text);
  }
}
