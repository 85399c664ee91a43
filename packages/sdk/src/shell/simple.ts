import type { Assignment, Command, Redirection, Word } from "unbash";
import { type DecodedAssignment, decodeAssignment } from "./assignments.ts";
import type { CommandDraft } from "./draft.ts";
import { isDefined } from "./facts.ts";
import { inspect } from "./inspect.ts";
import { MAX_WORDS } from "./limits.ts";
import { moved, visitDirectory } from "./paths.ts";
import { applyRedirects } from "./redirects.ts";
import {
  assign,
  clobber,
  joinStates,
  type Outcome,
  type State,
  same,
  UNKNOWN_INPUT,
  withDirectories,
  withInput,
} from "./state.ts";
import type { Walk } from "./walk-types.ts";
import { withOne } from "./with-one.ts";
import { decodeWord } from "./words/decode.ts";
import { alternativesOf, known, literal, onlyWord, type WordItem, writtenOf } from "./words/decoded.ts";

/** Built-ins that change what stands behind them, by how. */
const EFFECTS: ReadonlyMap<string, "any" | "names" | "input" | "stack" | "place"> = new Map([
  ...["eval", "source", ".", "trap", "alias", "set", "shopt", "enable"].map((name) => [name, "any"] as const),
  ...["export", "readonly", "declare", "typeset", "local"].map((name) => [name, "names"] as const),
  ["exec", "input"],
  ["pushd", "stack"],
  ["popd", "stack"],
  ["cd", "place"],
  ["chdir", "place"],
]);

/** Many share it, analyses that were given away too. */
const NONE: readonly never[] = Object.freeze([]);

/** One simple command as it stands in the tree. */
export function walkCommand(
  node: Command,
  walk: Walk,
  state: State,
  draft: CommandDraft,
  prefix: string,
): Outcome {
  // Most commands have none of them.
  let assigned: readonly DecodedAssignment[] = NO_ASSIGNMENTS;
  let exported: readonly DecodedAssignment[] = NO_ASSIGNMENTS;
  let redirects: readonly Redirection[] = NO_REDIRECTS;
  for (const item of node.prefix) {
    if (assigned.length >= MAX_WORDS) {
      walk.block("too-many", "");
      break;
    }
    if (item.type === "Assignment") assigned = withOne(assigned, decodeAssignment(item, walk, state));
    else redirects = withOne(redirects, item);
  }
  // Made at its size: a list that is pushed to has room for 16 more.
  const all: WordItem[] = new Array(node.suffix.length + 1);
  let count = 0;
  if (node.name !== undefined) {
    all[0] = decodeWord(node.name, walk, state);
    count = 1;
  }
  for (const item of node.suffix) {
    if (count >= MAX_WORDS) {
      walk.block("too-many", item.type === "Word" ? item.text : "");
      break;
    }
    if (item.type === "Word") {
      all[count] = checkedWord(item, walk, state);
      count += 1;
    } else if (item.type === "Assignment") {
      const decoded = decodeAssignment(item, walk, state);
      exported = withOne(exported, decoded);
      all[count] = assignmentItem(item, decoded);
      count += 1;
    } else redirects = withOne(redirects, item);
  }
  const items = count === all.length ? all : all.slice(0, count);
  const input = redirects.length === 0 ? state.input : applyRedirects(redirects, walk, state, draft.index);
  const inner = input === state.input ? state : withInput(state, input);
  const name = programName(items);
  const harmlessExport =
    name === "export" &&
    exported.length > 0 &&
    exported.length === items.length - 1 &&
    exported.every((each) => each.shown.harmless);
  const plain = assigned.length === 0;
  inspect(
    {
      items,
      assignments: plain ? NONE : assigned.map((each) => each.shown),
      rawAssignments: plain ? NONE : assigned.map((each) => each.raw),
      variables: plain
        ? NONE
        : assigned.map((each): [string, DecodedAssignment["variable"]] => [each.shown.name, each.variable]),
      prefix,
      harmlessExport,
      underXargs: false,
      wrappers: 0,
      share: NONE,
      launched: false,
    },
    walk,
    inner,
    draft,
  );
  return effect(name, items, assigned, exported, redirects, walk, state);
}

const NO_ASSIGNMENTS: readonly DecodedAssignment[] = [];
const NO_REDIRECTS: readonly Redirection[] = [];

/** `{a[$(x)]}>f` keeps a descriptor in a name whose subscript is evaluated. */
function checkedWord(word: Word, walk: Walk, state: State): WordItem {
  if (word.text.charCodeAt(0) === BRACE && /^\{[A-Za-z_]\w*\[.*\]\}$/s.test(word.text))
    walk.block("arithmetic", word.text);
  return decodeWord(word, walk, state);
}

const BRACE = 123;

function assignmentItem(node: Assignment, decoded: DecodedAssignment): WordItem {
  const { values, open } = decoded.variable;
  const only = values.length === 1 && !open ? values[0] : undefined;
  const head = `${node.name}=`;
  if (only !== undefined) return literal(decoded.raw, head + only);
  return { raw: decoded.raw, pieces: [head, ""], glob: false, single: true, plain: false };
}

function programName(items: readonly WordItem[]): string | undefined {
  let at = 0;
  let name = known(onlyWord(items[0]));
  if (name !== "command" && name !== "builtin") return name;
  const valueAt = (): string | undefined => known(onlyWord(items[at]));
  while ((name === "command" || name === "builtin") && at < items.length - 1) {
    at += 1;
    while (at < items.length - 1 && valueAt()?.startsWith("-") === true) at += 1;
    name = valueAt();
  }
  return name;
}

function effect(
  name: string | undefined,
  items: readonly WordItem[],
  assigned: readonly DecodedAssignment[],
  exported: readonly DecodedAssignment[],
  redirects: readonly Redirection[],
  walk: Walk,
  state: State,
): Outcome {
  if (items.length === 0) {
    let next = state;
    for (const each of assigned) next = assign(next, each.shown.name, each.variable);
    return same(next);
  }
  if (name === undefined) return same(clobber(state));
  if (isDefined(name, walk.facts)) return same(clobber(state));
  switch (EFFECTS.get(name)) {
    case "any":
      return same(clobber(state));
    case "names": {
      let next = state;
      for (const each of exported) next = assign(next, each.shown.name, each.variable);
      return same(next);
    }
    case "input":
      return same(redirects.length > 0 ? withInput(state, UNKNOWN_INPUT) : state);
    case "stack":
      for (const item of items.slice(1)) visit(item, walk, state);
      return same(withDirectories(state, undefined));
    case "place":
      for (const item of items.slice(1)) visit(item, walk, state);
      return changeDirectory(items, state);
    default:
      return same(state);
  }
}

/** Each word counts as a directory: an option taken for one does no harm. */
function visit(item: WordItem, walk: Walk, state: State): void {
  for (const words of alternativesOf(item)) for (const word of words) visitDirectory(walk, state, word);
}

function changeDirectory(items: readonly WordItem[], state: State): Outcome {
  const start = items.findIndex((item) => /^(?:cd|chdir)$/.test(known(alternativesOf(item)[0]?.[0]) ?? ""));
  const rest = items.slice(start + 1).filter((item) => !/^(?:-[LPe]+|--)$/.test(writtenOf(item)[0] ?? ""));
  let from: readonly string[] | undefined;
  if (rest.length === 0) from = ["~"];
  else if (rest.length === 1) {
    const found = new Set<string>();
    let all = true;
    for (const words of rest[0] === undefined ? [] : alternativesOf(rest[0])) {
      const next = words.length === 1 && words[0] !== undefined ? moved(state.from, words[0]) : undefined;
      if (next === undefined) all = false;
      else for (const each of next) found.add(each);
    }
    from = all ? [...found] : undefined;
  }
  const ok = withDirectories(state, from);
  return { ok, fail: from === undefined ? joinStates(ok, state) : state };
}
