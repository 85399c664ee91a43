import { launchedBy } from "./carriers/launched.ts";
import { addUnknownForm, type CommandDraft, newDraft } from "./draft.ts";
import { addForm } from "./form-set.ts";
import { inspectInner, walkLines } from "./inspect-inner.ts";
import type { Inspected } from "./inspected.ts";
import { MAX_COMMANDS, MAX_UNKNOWN_FORMS, MAX_WRAPPERS } from "./limits.ts";
import { addPath } from "./paths.ts";
import type { State } from "./state.ts";
import type { Walk } from "./walk-types.ts";
import type { Decoded } from "./words/decoded.ts";

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
    walkLines(launched.lines, command, walk, state, draft);
    for (const carried of launched.commands) {
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
      inspectInner(command, carried, true, walk, state, { outer: draft, inner: started });
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
