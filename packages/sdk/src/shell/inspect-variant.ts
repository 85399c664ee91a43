import { checkBuiltin } from "./builtins.ts";
import { spelled } from "./characters.ts";
import { addUnknownForm, type CommandDraft } from "./draft.ts";
import { isDefined } from "./facts.ts";
import { inspectCarried, inspectFind } from "./inspect-carried.ts";
import { walkLines } from "./inspect-inner.ts";
import { inspectLaunched } from "./inspect-launched.ts";
import { inspectScript } from "./inspect-script.ts";
import { areHarmless, type Inspected } from "./inspected.ts";
import { judge } from "./judge.ts";
import { addLink } from "./links.ts";
import { pathText, textOf } from "./path-text.ts";
import { addPath } from "./paths.ts";
import { CARRIES, CHECKED, kindsOf, LAUNCHES, RUNS_SCRIPTS } from "./program-kinds.ts";
import { type Judgement, NOTHING_KNOWN } from "./special/judgement.ts";
import type { State } from "./state.ts";
import type { Walk } from "./walk-types.ts";
import { type Alternative, type Decoded, known } from "./words/decoded.ts";

/** Whether the tables, or a mode that lets files be edited, cover what runs. */
interface Verdict {
  readonly readOnly: boolean;
  readonly editLike: boolean;
}

const NOT_COVERED: Verdict = { readOnly: false, editLike: false };

/** What one sequence of words runs and touches, and whether it is covered. */
export function inspectVariant(
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
      const path = word.glob ? undefined : textOf(word);
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
