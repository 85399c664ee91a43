import { checkBuiltin } from "./builtins.ts";
import { carriedBy } from "./carriers/carried-by.ts";
import type { Carried } from "./carriers/carrying.ts";
import { replaceIn } from "./carriers/replace-in.ts";
import type { CommandDraft } from "./draft.ts";
import { addTo } from "./facts.ts";
import { inspectInner, walkLines } from "./inspect-inner.ts";
import type { Inspected } from "./inspected.ts";
import { MAX_WRAPPERS } from "./limits.ts";
import { addPath, visitDirectory } from "./paths.ts";
import { reserve } from "./reserve.ts";
import type { Judgement } from "./special/judgement.ts";
import { assign, type State } from "./state.ts";
import type { Walk } from "./walk-types.ts";
import { type Decoded, known, literal } from "./words/decoded.ts";

/** Returns what a wrapper adds to read-only: undefined where the program is no wrapper with a command. */
export function inspectCarried(
  command: Inspected,
  wrapper: { readonly name: string; readonly plain: boolean },
  rest: readonly Decoded[],
  walk: Walk,
  state: State,
  draft: CommandDraft,
): boolean | undefined {
  const { name } = wrapper;
  // Alone it tells the machine's kind; elsewhere than on Linux a command may follow.
  if (name === "arch" && rest.length === 0) return undefined;
  const carrying = carriedBy(name, rest);
  if (carrying === undefined) return undefined;
  if (name === "command" && carrying.commands.length === 0) {
    return carrying.sure && rest.length > 1 && /^-[vV]$/.test(known(rest[0]) ?? "");
  }
  let inner = state;
  for (const word of carrying.assigns) {
    const found = /^([A-Za-z_]\w*)=(.*)$/s.exec(known(word) ?? "");
    if (found?.[1] === undefined) continue;
    inner = assign(inner, found[1], { values: [found[2] ?? ""], open: true });
    checkAssigned(found[1], word.raw, walk);
  }
  if (carrying.dynamic === true) walk.block("dynamic-command", draft.text);
  for (const { access, word } of carrying.touches ?? [])
    addPath(walk, state, word, { access, by: "operand", command: draft.index });
  for (const place of carrying.places ?? []) visitDirectory(walk, state, place);
  if (carrying.lines.length > 0 || carrying.commands.some((each) => each.fed === true || !each.transparent)) {
    // It may run more than once, or several at a time.
    walk.unordered += 1;
  }
  walkLines(carrying.lines, command, walk, inner, draft);
  let covers = carrying.sure && carrying.commands.length === 1 && carrying.lines.length === 0;
  for (const each of carrying.commands) {
    // Called by a path or with other assignments, it is not the wrapper that an allow rule sees through.
    const transparent = each.transparent && wrapper.plain;
    const index = carryInner(command, { ...each, transparent }, walk, inner, draft);
    if (!transparent || index === undefined) covers = false;
  }
  return covers;
}

function checkAssigned(name: string, text: string, walk: Walk): void {
  addTo(walk.facts, "names", name);
  checkBuiltin("export", [literal(text)], text, walk);
}

/** A command inside another one: it gets its own place, and shares the forms of the whole. */
function carryInner(
  command: Inspected,
  carried: Carried,
  walk: Walk,
  state: State,
  draft: CommandDraft,
): number | undefined {
  if (command.wrappers >= MAX_WRAPPERS) {
    walk.block("nesting", draft.text);
    return undefined;
  }
  const inner = reserve(walk, draft.index);
  if (inner === undefined) return undefined;
  inspectInner(command, carried, command.launched, walk, state, { outer: draft, inner });
  if (carried.transparent) {
    inner.transparentCarrier = true;
    draft.wraps = [...draft.wraps, inner.index];
  }
  if (carried.fed === true) {
    inner.readOnly = false;
    inner.editLike = false;
  }
  return inner.index;
}

/** The commands of `-exec` and the like. */
export function inspectFind(
  command: Inspected,
  judged: Judgement,
  walk: Walk,
  state: State,
  draft: CommandDraft,
): void {
  const { inner = [] } = judged;
  if (inner.length > 0) walk.unordered += 1;
  for (const each of inner) {
    const words = each.words.map((word) => replaceIn(word, "{}"));
    if (words.length === 0) continue;
    const moves = each.action === "-execdir" || each.action === "-okdir";
    carryInner(command, { words, transparent: false, moved: moves }, walk, state, draft);
  }
}
