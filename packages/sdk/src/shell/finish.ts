import type { ShellCommand } from "../protocol/index.ts";
import { addShared, type CommandDraft } from "./draft.ts";
import { areHarmless } from "./inspected.ts";
import { MAX_DIRECTORIES } from "./limits.ts";
import { relink } from "./links.ts";
import { textOf } from "./path-text.ts";
import { isWhole, placesOf } from "./places.ts";
import type { Walk } from "./walk-types.ts";

/** Settles what depends on the whole line, and turns drafts into commands. */
export function finish(walk: Walk): readonly ShellCommand[] {
  for (const [first, end] of walk.late) relink(walk, first, end);
  guessDirectories(walk);
  settleCarriers(walk.drafts);
  settleGit(walk);
  const last = walk.drafts.length - 1;
  walk.paths.forEach((path, index) => {
    if (path.command > last) walk.paths[index] = { ...path, command: Math.max(0, last) };
  });
  return walk.drafts.map(toCommand);
}

/** Where the directory is not known, it may be any that the line goes to. */
function guessDirectories(walk: Walk): void {
  let visited: readonly string[] | undefined;
  walk.paths.forEach((path, index) => {
    const word = walk.pathWords[index];
    if (path.from !== undefined || word === undefined || word.glob) return;
    const text = textOf(word);
    if (text === undefined || isWhole(text)) return;
    if (walk.visited.size > MAX_DIRECTORIES) walk.block("too-many-paths", word.raw);
    visited ??= [...walk.visited].slice(0, MAX_DIRECTORIES);
    walk.paths[index] = { ...path, maybe: placesOf(text, visited) };
  });
}

/** A wrapper is read-only when what it carries is; inner ones stand behind their carrier. */
function settleCarriers(drafts: readonly CommandDraft[]): void {
  for (let at = drafts.length - 1; at >= 0; at -= 1) {
    const draft = drafts[at];
    if (draft === undefined || draft.wraps.length === 0) continue;
    for (const index of draft.wraps) {
      const inner = drafts[index];
      if (inner === undefined) continue;
      draft.readOnly &&= inner.readOnly;
      // An allow rule that covers the inner command covers its wrapper, and the other way round.
      if (areHarmless(draft.assignments)) addShared(inner.allowForms.list, draft);
    }
  }
}

/** git may run what the repository's own files say, so nothing in the line may have touched them first. */
function settleGit(walk: Walk): void {
  if (!walk.drafts.some((draft) => draft.git && draft.readOnly)) return;
  const { facts } = walk;
  const setsGit = holdsGit(facts.names) || holdsGit(facts.loose);
  const writes = walk.paths.filter((path) => path.access === "write" || path.access === "remove");
  const firstWrite = writes.reduce((least, path) => Math.min(least, path.command), Number.POSITIVE_INFINITY);
  const firstLink = walk.links.length > 0 || walk.unpacked;
  for (const draft of walk.drafts) {
    if (!draft.git || !draft.readOnly) continue;
    const written = facts.repeats ? writes.length > 0 : firstWrite <= draft.index;
    if (facts.moves || facts.anyName || setsGit || written || firstLink) draft.readOnly = false;
  }
}

function holdsGit(names: ReadonlySet<string>): boolean {
  if (names.size > 0) for (const name of names) if (name.startsWith("GIT_")) return true;
  return false;
}

function toCommand(draft: CommandDraft): ShellCommand {
  const allowForms = draft.allowForms.list;
  // The deny forms hold all of them, so that as many are the same ones.
  const denyForms = draft.denyForms.list.length === allowForms.length ? allowForms : draft.denyForms.list;
  const command: Writable<ShellCommand> = {
    index: draft.index,
    text: draft.text,
    words: draft.words,
    assignments: draft.assignments,
    allowForms,
    denyForms,
    unknownForms: draft.unknownForms,
    readOnly: draft.readOnly,
    editLike: draft.editLike,
    bare: draft.bare,
  };
  if (draft.carrier !== undefined) command.carrier = draft.carrier;
  if (draft.transparentCarrier) command.transparentCarrier = true;
  if (draft.needs !== undefined && draft.readOnly) command.needs = draft.needs;
  if (draft.callsFunction) command.callsFunction = true;
  return command;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
