import type { ShellWord } from "../protocol/index.ts";
import { spelled } from "./characters.ts";
import { addShared, type CommandDraft } from "./draft.ts";
import { isDefined } from "./facts.ts";
import { addForm } from "./form-set.ts";
import { addAllowForms, addDenyForms } from "./forms.ts";
import { inspectVariant } from "./inspect-variant.ts";
import { areHarmless, type Inspected } from "./inspected.ts";
import { MAX_VARIANTS } from "./limits.ts";
import type { State } from "./state.ts";
import type { Walk } from "./walk-types.ts";
import {
  type Alternative,
  alternativesOf,
  type Decoded,
  known,
  onlyWord,
  unknown,
  type WordItem,
  writtenOf,
} from "./words/decoded.ts";

/** Fills the draft: forms, read-only, paths, hosts, and the commands it carries. */
export function inspect(command: Inspected, walk: Walk, state: State, draft: CommandDraft): void {
  const { items } = command;
  // Most items are one word in one way.
  const only = areWords(items) ? items : undefined;
  const written = only === undefined ? items.flatMap(writtenOf) : rawsOf(only);
  const joined = written.length === 1 ? (written[0] ?? "") : written.join(" ");
  draft.text =
    command.rawAssignments.length === 0 ? joined : [...command.rawAssignments, ...written].join(" ");
  draft.words = only === undefined ? allShown(items) : only.map(shownWord);
  draft.assignments = command.assignments;
  const onlyHarmless = areHarmless(command.assignments);
  if (items.length === 0) {
    draft.bare = true;
    draft.readOnly = onlyHarmless;
    if (draft.text !== "") {
      addForm(draft.allowForms, draft.text);
      addForm(draft.denyForms, draft.text);
    }
    return;
  }
  const first = items[0];
  const program = known(onlyWord(first));
  let isDynamic = program === undefined;
  // A plain word is one, and holds no `$`.
  if (first === undefined || first.raw === undefined || !first.plain) {
    const names = first === undefined ? [] : writtenOf(first);
    isDynamic ||= (names[0] ?? "").includes("$");
    if (isDynamic || names.length !== 1) walk.block("dynamic-command", names.join(" "));
  }
  addAllowForms(
    draft,
    {
      words: written,
      joined,
      program,
      assignments: command.rawAssignments,
      onlyHarmless,
      prefix: command.prefix,
    },
    walk,
  );
  if (command.share.length > 0) addShared(command.share, draft);
  const variants = only === undefined ? variantsOf(items, walk) : [only];
  // With one word for each item the only variant is spelt as the items are.
  const spelt = variants.length === 1 && variants[0]?.length === written.length ? joined : undefined;
  let readOnly = !isDynamic;
  let editLike = !isDynamic;
  for (const words of variants) {
    const rest = words.slice(1);
    addDenyForms(draft, words, rest, walk, spelt);
    const result = inspectVariant(command, words[0], rest, walk, state, draft);
    readOnly &&= result.readOnly;
    editLike &&= result.editLike;
  }
  if (command.harmlessExport) readOnly = true;
  const callsFunction = program !== undefined && isDefined(program, walk.facts);
  if (callsFunction && program !== undefined) {
    draft.callsFunction = true;
    callAlias(program, items, walk, state, draft);
  }
  draft.readOnly = readOnly && onlyHarmless && !callsFunction;
  draft.editLike = editLike && onlyHarmless && !callsFunction;
}

function areWords(items: readonly WordItem[]): items is Alternative {
  for (const item of items) if (item.raw === undefined) return false;
  return true;
}

function rawsOf(words: Alternative): readonly string[] {
  return words.map((word) => word.raw);
}

function allShown(items: readonly WordItem[]): readonly ShellWord[] {
  const shown: ShellWord[] = [];
  for (const item of items) addShown(item, shown);
  return shown;
}

function addShown(item: WordItem, shown: ShellWord[]): void {
  if (item.raw !== undefined) {
    shown.push(shownWord(item));
    return;
  }
  const alternative = item.alternatives.length === 1 ? item.alternatives[0] : undefined;
  if (alternative === undefined || alternative.length !== item.written.length) {
    for (const raw of item.written) shown.push({ raw });
    return;
  }
  for (const word of alternative) shown.push(shownWord(word));
}

function shownWord({ raw, value, glob, plain }: Decoded): ShellWord {
  if (plain) return { raw, value: raw };
  if (value === undefined) return { raw };
  return glob ? { raw, value: spelled(value), glob: true } : { raw, value: spelled(value) };
}

/** Every sequence of words that the items may become; where there are too many, an unknown word stands for a whole item. */
function variantsOf(items: readonly WordItem[], walk: Walk): readonly Alternative[] {
  const only = onlyWords(items);
  if (only !== undefined) return [only];
  let list: Decoded[][] = [[]];
  for (const item of items) {
    const alternatives = alternativesOf(item);
    const single = alternatives[0];
    if (alternatives.length === 1 && single !== undefined) {
      for (const words of list) for (const word of single) words.push(word);
      continue;
    }
    const grown = list.length * alternatives.length;
    if (grown > MAX_VARIANTS || grown > walk.variantsLeft) {
      for (const words of list) words.push(unknown(writtenOf(item).join(" ")));
      continue;
    }
    list = list.flatMap((words) => alternatives.map((alternative) => [...words, ...alternative]));
  }
  if (list.length > 1) walk.variantsLeft -= list.length;
  return list;
}

/** Where each item is one word in one way. */
function onlyWords(items: readonly WordItem[]): Alternative | undefined {
  const words: Decoded[] = new Array(items.length);
  for (let at = 0; at < items.length; at += 1) {
    const word = onlyWord(items[at]);
    if (word === undefined) return undefined;
    words[at] = word;
  }
  return words;
}

/** An alias of the line puts its text before the words. */
function callAlias(
  name: string,
  items: readonly WordItem[],
  walk: Walk,
  state: State,
  draft: CommandDraft,
): void {
  if (!walk.facts.aliases.has(name)) return;
  const text = walk.facts.aliases.get(name);
  if (text === undefined) {
    walk.block("dynamic-command", name);
    return;
  }
  if (state.innerLines > 0 && state.carrier !== undefined && text.includes(name)) return;
  walk.innerLine([text, ...items.slice(1).flatMap(writtenOf)].join(" "), state, draft.index);
}
