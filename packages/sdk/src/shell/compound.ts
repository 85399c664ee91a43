import type { For, Select, TestExpression, Word } from "unbash";
import { emptyFacts, gatherFacts } from "./facts.ts";
import { addForm } from "./form-set.ts";
import { MAX_VARIANTS } from "./limits.ts";
import { addPath } from "./paths.ts";
import { applyRedirects } from "./redirects.ts";
import { reserve } from "./reserve.ts";
import { FILE_TESTS, NAME_TESTS } from "./special/test-words.ts";
import {
  assign,
  clobber,
  joinStates,
  type Outcome,
  type State,
  same,
  UNKNOWN_INPUT,
  type Variable,
} from "./state.ts";
import type { Compound } from "./tree.ts";
import { isOpaqueName } from "./variables.ts";
import type { Walk } from "./walk-types.ts";
import { isPlainOperand } from "./words/arithmetic.ts";
import { decodeWord } from "./words/decode.ts";
import { alternativesOf, known, type WordItem } from "./words/decoded.ts";
import { arithmeticText, checkArithmetic, walkNested, walkWord } from "./words/parts.ts";

/** Groups, loops, branches, functions, `[[ ]]` and `(( ))`. */
export function walkCompound(node: Compound, walk: Walk, state: State): Outcome {
  switch (node.type) {
    case "Redirected": {
      const first = walk.drafts.length;
      const before = walk.drafts.length;
      const input = applyRedirects(node.redirects, walk, state, first);
      // Scripts in the redirects took places: the command itself comes after them.
      if (walk.drafts.length > before) moveRedirects(walk, first, walk.drafts.length);
      const outcome = walk.node(node.command, { ...state, input });
      if (walk.drafts.length === before) reserve(walk, state.carrier);
      return { ok: { ...outcome.ok, input: state.input }, fail: { ...outcome.fail, input: state.input } };
    }
    case "BraceGroup":
      return same(walk.statements(node.body.commands, state));
    case "Subshell":
      walk.statements(node.body.commands, state);
      return same(state);
    case "If": {
      let after = walk.statements(node.clause.commands, state);
      let out = walk.statements(node.then.commands, after);
      for (const branch of node.elif) {
        after = walk.statements(branch.clause.commands, after);
        out = joinStates(out, walk.statements(branch.then.commands, after));
      }
      return same(
        joinStates(out, node.else === undefined ? after : walk.statements(node.else.commands, after)),
      );
    }
    case "While": {
      const start = beforeLoop(node, walk, state);
      const tested = walk.statements(node.clause.commands, start);
      return same(joinStates(tested, walk.statements(node.body.commands, tested)));
    }
    case "For":
    case "Select":
      return walkFor(node, walk, state);
    case "ArithmeticFor": {
      const head = state.source.slice(node.pos, node.body.pos);
      for (const part of [node.initialize, node.test, node.update]) {
        if (part === undefined) continue;
        checkArithmetic(head, state.source.slice(part.pos, part.end), walk);
        walkNested([part], walk, state);
      }
      const start = beforeLoop(node, walk, state);
      return same(joinStates(start, walk.statements(node.body.commands, start)));
    }
    case "Case": {
      walkWord(node.word, walk, state);
      let out = state;
      let fallen = state;
      for (const item of node.items) {
        for (const pattern of item.pattern) walkWord(pattern, walk, state);
        const after = walk.statements(item.body.commands, joinStates(state, fallen));
        fallen = after;
        out = joinStates(out, after);
      }
      return same(out);
    }
    case "Function": {
      // A body runs later, from wherever it is called, with whatever input and values there are then.
      walkLater(node.body, walk, { ...clobber(state), input: UNKNOWN_INPUT });
      return same(state);
    }
    case "Coproc": {
      if (node.name !== undefined && node.name.text !== "COPROC") checkSetName(node.name, walk);
      walkLater(node.body, walk, { ...state, input: UNKNOWN_INPUT });
      return same(state);
    }
    case "TestCommand":
      walkTest(node.expression, state.source.slice(node.pos, node.end), walk, state);
      return same(state);
    case "ArithmeticCommand": {
      const text = state.source.slice(node.pos, node.end);
      place(text, walk, state);
      checkArithmetic(text, arithmeticText(text), walk);
      if (node.expression !== undefined) walkNested([node.expression], walk, state);
      return same(state);
    }
    default: {
      const unexpected: never = node;
      walk.block("parse", String(unexpected));
      return same(clobber(state));
    }
  }
}

/** What it touches meets whatever the rest of the line does. */
function walkLater(
  body: Extract<Compound, { type: "Function" | "Coproc" }>["body"],
  walk: Walk,
  state: State,
): void {
  const first = walk.paths.length;
  if (body.type === "CompoundList") walk.statements(body.commands, state);
  else walk.node(body, state);
  walk.late.push([first, walk.paths.length]);
}

function moveRedirects(walk: Walk, from: number, to: number): void {
  walk.paths.forEach((path, index) => {
    if (path.command === from && (path.by === "redirect" || path.by === "input"))
      walk.paths[index] = { ...path, command: to };
  });
}

/** At the start of a loop's body everything that the loop changes may have changed already. */
function beforeLoop(node: Compound, walk: Walk, state: State): State {
  walk.unordered += 1;
  const facts = emptyFacts();
  walk.scanLeft = gatherFacts(node, facts, true, walk.scanLeft);
  if (walk.scanLeft < 0 || facts.anyName || callsAny(facts.functions, walk)) return clobber(state);
  const variables = new Map(state.variables);
  for (const name of [...facts.names, ...facts.loose]) {
    const variable = variables.get(name);
    if (variable !== undefined) variables.set(name, { values: variable.values, open: true });
  }
  const moves = facts.moves || walk.facts.functions.size > 0;
  return { ...state, variables, from: moves ? undefined : state.from };
}

function callsAny(own: ReadonlySet<string>, walk: Walk): boolean {
  return own.size > 0 || walk.facts.functions.size > 0 || walk.facts.aliases.size > 0;
}

function walkFor(node: For | Select, walk: Walk, state: State): Outcome {
  const name = node.name.value;
  checkSetName(node.name, walk);
  const items = node.wordlist?.map((word) => decodeWord(word, walk, state));
  const values = listOf(items);
  const start = beforeLoop({ ...node, name: node.name }, walk, state);
  const facts = emptyFacts();
  walk.scanLeft = gatherFacts(node.body, facts, false, walk.scanLeft);
  const changed = walk.scanLeft < 0 || facts.anyName || facts.names.has(name) || facts.loose.has(name);
  const inside = assign(start, name, changed || node.type === "Select" ? { ...values, open: true } : values);
  const after = walk.statements(node.body.commands, inside);
  const joined = joinStates(start, after);
  return same(assign(joined, name, { values: values.values, open: true }));
}

function listOf(items: readonly WordItem[] | undefined): Variable {
  if (items === undefined) return { values: [], open: true };
  const values: string[] = [];
  let open = false;
  for (const item of items) {
    for (const words of alternativesOf(item)) {
      for (const word of words) {
        const value = known(word);
        if (value === undefined) open = true;
        else values.push(value);
      }
    }
  }
  if (values.length > MAX_VARIANTS) return { values: [], open: true };
  return { values, open };
}

function checkSetName(word: Word, walk: Walk): void {
  if (isOpaqueName(word.value)) walk.block("assignment", word.text);
}

function place(text: string, walk: Walk, state: State): number {
  const draft = reserve(walk, state.carrier);
  if (draft === undefined) return 0;
  draft.text = text.replace(/\\\n/g, "").replace(/[ \t\n]+/g, " ");
  draft.words = [{ raw: draft.text }];
  addForm(draft.allowForms, draft.text);
  addForm(draft.denyForms, draft.text);
  draft.readOnly = true;
  return draft.index;
}

const ARITHMETIC_TESTS: ReadonlySet<string> = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

/** `[[ ]]` runs nothing by itself, but for names and numbers that are evaluated. */
function walkTest(root: TestExpression, text: string, walk: Walk, state: State): void {
  const command = place(text, walk, state);
  const stack: TestExpression[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    switch (node.type) {
      case "TestLogical":
        stack.push(...node.operands);
        break;
      case "TestNot":
        stack.push(node.operand);
        break;
      case "TestGroup":
        stack.push(node.expression);
        break;
      case "TestUnary":
        walkWord(node.operand, walk, state);
        if (NAME_TESTS.has(node.operator) && !/^[A-Za-z_]\w*$/.test(node.operand.text))
          walk.block("arithmetic", text);
        if (FILE_TESTS.has(node.operator)) touchFile(node.operand, command, walk, state);
        break;
      case "TestBinary":
        walkWord(node.left, walk, state);
        walkWord(node.right, walk, state);
        if (ARITHMETIC_TESTS.has(node.operator)) {
          for (const word of [node.left, node.right]) {
            if (!isPlainNumber(word, walk)) walk.block("arithmetic", text);
          }
        }
        if (/^-(?:nt|ot|ef)$/.test(node.operator)) {
          touchFile(node.left, command, walk, state);
          touchFile(node.right, command, walk, state);
        }
        break;
      default:
        walk.block("parse", text);
    }
  }
}

function isPlainNumber(word: Word, walk: Walk): boolean {
  const text = word.text.replace(/^"(.*)"$/s, "$1").replace(/^-/, "");
  const name = /^\$(?:\{(\w+)\}|(\w+)|[?#])$/.exec(text);
  if (name !== null) {
    const found = name[1] ?? name[2];
    return found === undefined || isPlainOperand(found, walk.facts);
  }
  return /^\$\{#\w+\}$/.test(text) || isPlainOperand(text, walk.facts);
}

function touchFile(word: Word, command: number, walk: Walk, state: State): void {
  for (const words of alternativesOf(decodeWord(word, walk, state, true))) {
    for (const each of words) {
      addPath(walk, state, each, { access: "list", by: "operand", command });
      const draft = walk.drafts[command];
      if (each.value === undefined && draft !== undefined) draft.readOnly = false;
    }
  }
}
