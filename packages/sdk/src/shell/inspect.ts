import type { ShellWord } from "../protocol/index.ts";
import { checkBuiltin } from "./builtins.ts";
import { spelled } from "./characters.ts";
import { addUnknownForm, type CommandDraft } from "./draft.ts";
import { isDefined } from "./facts.ts";
import { addForm } from "./form-set.ts";
import { addAllowForms, addDenyForms } from "./forms.ts";
import { inspectCarried, inspectFind } from "./inspect-carried.ts";
import { walkLines } from "./inspect-inner.ts";
import { inspectLaunched } from "./inspect-launched.ts";
import { inspectScript } from "./inspect-script.ts";
import type { Inspected } from "./inspected.ts";
import { judge } from "./judge.ts";
import { MAX_VARIANTS } from "./limits.ts";
import { addLink } from "./links.ts";
import { pathText } from "./path-text.ts";
import { addPath } from "./paths.ts";
import { CARRIES, CHECKED, kindsOf, LAUNCHES, RUNS_SCRIPTS } from "./program-kinds.ts";
import { type Judgement, NOTHING_KNOWN } from "./special/judgement.ts";
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

function addShared(forms: readonly string[], draft: CommandDraft): void {
  for (const form of forms) {
    addForm(draft.allowForms, form);
    addForm(draft.denyForms, form);
  }
}

function areWords(items: readonly WordItem[]): items is Alternative {
  for (const item of items) if (item.raw === undefined) return false;
  return true;
}

function areHarmless(assignments: Inspected["assignments"]): boolean {
  // By their places: to go through the frozen list that most commands share makes objects.
  for (let at = 0; at < assignments.length; at += 1) if (assignments[at]?.harmless !== true) return false;
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

interface Verdict {
  readonly readOnly: boolean;
  readonly editLike: boolean;
}

const NOT_COVERED: Verdict = { readOnly: false, editLike: false };

function inspectVariant(
  command: Inspected,
  first: Decoded | undefined,
  rest: Alternative,
  walk: Walk,
  state: State,
  draft: CommandDraft,
): Verdict {
  const called = known(first);
  if (called === undefined) return NOT_COVERED;
  const slash = called.lastIndexOf("/");
  const own = slash < 0 ? called : called.slice(slash + 1);
  const base = first?.plain === true ? own : spelled(own);
  const name = base.toLowerCase();
  const kinds = kindsOf(name);
  if ((kinds & CHECKED) !== 0) checkBuiltin(base, rest, draft.text, walk);
  const judged = judge(name, rest);
  record(name, judged, walk, state, draft);
  runLines(command, judged, walk, state, draft);
  const plain =
    called === name && !command.launched && areHarmless(command.assignments) && !isDefined(name, walk.facts);
  const carries =
    (kinds & CARRIES) !== 0 ? inspectCarried(command, { name, plain }, rest, walk, state, draft) : undefined;
  if ((kinds & LAUNCHES) !== 0) inspectLaunched(command, name, rest, walk, state, draft);
  const script = (kinds & RUNS_SCRIPTS) !== 0 && inspectScript(command, name, rest, walk, state, draft);
  if (name === "find" || name === "gfind") {
    // A word that may be several can hold `-exec` and any command after it.
    if (rest.some((word) => word.value === undefined && !word.single)) {
      addUnknownForm(draft, { pieces: ["", ""] });
    }
    inspectFind(command, judged, walk, state, draft);
  }
  if (base === "cd") return { readOnly: isInsideMove(rest, walk, state, draft), editLike: false };
  if (called !== name) return NOT_COVERED;
  if (carries !== undefined) return { readOnly: carries, editLike: false };
  if (script) return { readOnly: judged.readOnly, editLike: false };
  return judged;
}

function record(name: string, judged: Judgement, walk: Walk, state: State, draft: CommandDraft): void {
  // Most programs are in no table.
  if (judged === NOTHING_KNOWN) return;
  for (const { access, word, recursive, base } of judged.paths) {
    addPath(walk, state, word, { access, by: "operand", command: draft.index, recursive, base });
  }
  if (judged.hosts !== undefined)
    for (const host of judged.hosts)
      walk.hosts.push(host === undefined ? { command: draft.index } : { command: draft.index, host });
  if (judged.links === "anywhere") walk.unpacked = true;
  else if (judged.links !== undefined) {
    for (const word of judged.links) {
      const path = word.glob || word.value === undefined ? undefined : pathText(word.value);
      addLink(walk, {
        command: draft.index,
        ...(path === undefined ? {} : { path }),
        ...(state.from === undefined ? {} : { from: state.from }),
        ...(judged.copiesLinks === true ? { copied: true as const } : {}),
      });
    }
  }
  if (name === "git") {
    draft.git = true;
    if (judged.readOnly && judged.needs !== undefined) draft.needs = judged.needs;
    const { runs } = judged;
    if (runs !== undefined) walk.block("git-config", runs);
  }
  if ((name === "test" || name === "[") && judged.evaluates === true) walk.block("arithmetic", draft.text);
}

/** Lines that an option or an operand hands to a shell. */
function runLines(
  command: Inspected,
  judged: Judgement,
  walk: Walk,
  state: State,
  draft: CommandDraft,
): void {
  if (judged.lines === undefined || judged.lines.length === 0) return;
  walk.unordered += 1;
  walkLines(judged.lines, command, walk, state, draft);
}

/** A `cd` to a literal: the disk must show that it stays inside. */
function isInsideMove(words: readonly Decoded[], walk: Walk, state: State, draft: CommandDraft): boolean {
  const rest = words.filter((word) => !/^(?:-[LP]+|--)$/.test(known(word) ?? ""));
  const target = rest[0];
  draft.needs = "cd-inside";
  if (target !== undefined)
    addPath(walk, state, target, { access: "list", by: "operand", command: draft.index });
  const text = known(target);
  return (
    rest.length === 1 &&
    text !== undefined &&
    text !== "" &&
    !text.startsWith("-") &&
    pathText(text) !== undefined
  );
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
