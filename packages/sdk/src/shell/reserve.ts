import { type CommandDraft, newDraft } from "./draft.ts";
import { MAX_COMMANDS } from "./limits.ts";
import type { Walk } from "./walk-types.ts";

/** Takes the next place among the line's commands. Undefined once there are too many: the line is then opaque. */
export function reserve(walk: Walk, carrier: number | undefined): CommandDraft | undefined {
  if (walk.drafts.length + walk.launched >= MAX_COMMANDS) {
    if (!walk.full) walk.block("too-many", "");
    walk.full = true;
    return undefined;
  }
  const draft = newDraft(walk.drafts.length, carrier);
  walk.drafts.push(draft);
  return draft;
}
