import type { ParameterExpansionPart, SyntaxNode, Word, WordPart } from "unbash";
import { forEachChild } from "unbash";
import { DIRECTORY_MARK, HOME_MARK } from "../characters.ts";
import { staticValue } from "../facts.ts";
import type { State, Variable } from "../state.ts";
import { isName, isOpaqueName } from "../variables.ts";
import type { Walk } from "../walk-types.ts";
import { isPlainArithmetic } from "./arithmetic.ts";
import { isTooDeep } from "./deep-word.ts";
import { addGlob, addLiteral, addUnknown, addVariable, type Strands } from "./strand.ts";

const MANY = /^(?:[@*]|\d+)$/;

/** Adds one part of a word, notes what it makes opaque, and walks the scripts in it. */
export function addPart(strands: Strands, part: WordPart, walk: Walk, state: State, quoted: boolean): void {
  switch (part.type) {
    case "Literal":
      addLiteral(strands, part.value);
      return;
    case "SingleQuoted":
      addLiteral(strands, part.value);
      return;
    case "AnsiCQuoted":
      // A continued line or NUL inside is read differently by different shells.
      if (part.text.includes("\\\n") || /\\(?:0|x0|u0|U0|c)/.test(part.text)) addUnknown(strands, true);
      else addLiteral(strands, part.value);
      return;
    case "DoubleQuoted":
    case "LocaleString":
      if (part.parts.length === 0) addLiteral(strands, "");
      for (const inner of part.parts) addPart(strands, inner, walk, state, true);
      // A translated string may come from a catalogue.
      if (part.type === "LocaleString") addUnknown(strands, true);
      return;
    case "Glob":
      walkNested(part.parts ?? [], walk, state);
      addGlob(strands, part.value);
      return;
    case "ExtendedGlob":
      walkNested(part.parts ?? [], walk, state);
      addGlob(strands, part.text);
      addUnknown(strands, false);
      return;
    case "BraceExpansion":
      walkNested(part.parts ?? [], walk, state);
      addUnknown(strands, false);
      return;
    case "SimpleExpansion":
      addSimple(strands, part.text.slice(1), walk, state, quoted);
      return;
    case "ParameterExpansion":
      addParameter(strands, part, walk, state, quoted);
      return;
    case "CommandExpansion":
      walk.substitution(part, state);
      addUnknown(strands, quoted);
      return;
    case "ProcessSubstitution":
      walkProcess(part, walk, state);
      addUnknown(strands, true);
      return;
    case "ArithmeticExpansion":
      checkArithmetic(part.text, arithmeticText(part.text), walk);
      if (part.expression !== undefined) walkNested([part.expression], walk, state);
      addUnknown(strands, true);
      return;
    default: {
      const unexpected: never = part;
      walk.block("parse", String(unexpected));
    }
  }
}

/** It runs beside the command that it is given to, and may outlive it. */
function walkProcess(
  part: Extract<SyntaxNode, { type: "ProcessSubstitution" }>,
  walk: Walk,
  state: State,
): void {
  const first = walk.paths.length;
  const input: State["input"] = part.operator === ">" ? { kind: "unknown" } : state.input;
  walk.substitution(part, { ...state, input });
  walk.late.push([first, walk.paths.length]);
  walk.unordered += 1;
}

function addSimple(strands: Strands, name: string, walk: Walk, state: State, quoted: boolean): void {
  if (!isName(name)) {
    addUnknown(strands, quoted && !MANY.test(name));
    return;
  }
  if ((name === "HOME" || name === "PWD") && !walk.facts.anyName && !walk.facts.names.has(name)) {
    addLiteral(strands, name === "HOME" ? HOME_MARK : DIRECTORY_MARK);
    return;
  }
  const variable = lookUp(name, walk, state);
  // Once enough values were put in, the rest of the line's variables count as unknown.
  if (variable.values.length > 1 && walk.variantsLeft < variable.values.length) addUnknown(strands, quoted);
  else addVariable(strands, variable, quoted);
}

function lookUp(name: string, walk: Walk, state: State): Variable {
  const variable = state.variables.get(name);
  if (variable === undefined) return { values: [], open: true };
  if (variable.open || (!walk.facts.loose.has(name) && !walk.facts.anyName)) return variable;
  return { values: variable.values, open: true };
}

function addParameter(
  strands: Strands,
  part: ParameterExpansionPart,
  walk: Walk,
  state: State,
  quoted: boolean,
): void {
  const { operation, index, parameter } = part;
  const anyIndex = index !== undefined && (index.text === "@" || index.text === "*");
  if (operation === undefined && index === undefined && part.prefix === undefined) {
    addSimple(strands, parameter, walk, state, quoted);
    return;
  }
  // Checks the part itself as well.
  walkNested([part], walk, state);
  const single = quoted && !anyIndex && !MANY.test(parameter);
  if (operation?.type === "Default" && index === undefined) {
    const fallback = staticValue(operation.operand);
    const values = [...(isName(parameter) ? lookUp(parameter, walk, state).values : [])];
    if (fallback !== undefined) values.push(fallback);
    addVariable(strands, { values, open: true }, single);
    return;
  }
  addUnknown(strands, single);
}

/** The text between the brackets of `$(( ))`, `$[ ]` or `(( ))`. */
export function arithmeticText(text: string): string {
  if (text.startsWith("$((")) return text.slice(3, -2);
  if (text.startsWith("((")) return text.slice(2, -2);
  return text.slice(2, -1);
}

export function checkArithmetic(whole: string, text: string, walk: Walk): void {
  if (!isPlainArithmetic(text, walk.facts)) walk.block("arithmetic", whole);
}

/** Walks every script below the nodes, and checks expansions in them; their value does not matter. */
export function walkNested(nodes: readonly SyntaxNode[], walk: Walk, state: State): void {
  const stack: SyntaxNode[] = [...nodes];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === "CommandExpansion" || node.type === "ArithmeticCommandExpansion") {
      walk.substitution(node, state);
      continue;
    }
    if (node.type === "ProcessSubstitution") {
      walkProcess(node, walk, state);
      continue;
    }
    if (node.type === "Word" && isTooDeep(node.text)) {
      walk.block("too-many", node.text);
      continue;
    }
    checkNested(node, walk);
    forEachChild(node, (child) => {
      stack.push(child);
    });
  }
}

/**
 * Where the parser and bash part ways about what stands in `${x…}`: the parser ends the pattern of `${x/…/…}` at a
 * slash inside a substitution, and takes quotes for quotes where bash, inside `"…"` or a here-document, does not.
 */
function checkOperand(part: ParameterExpansionPart, walk: Walk): void {
  const { operation } = part;
  if (operation?.type === "Replace" && /`|[$<>]\(/.test(operation.pattern.text))
    walk.block("expansion", part.text);
  if (!/['`]/.test(part.text)) return;
  const stack: SyntaxNode[] = [part];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === "CommandExpansion" || node.type === "ProcessSubstitution") continue;
    if (
      (node.type === "SingleQuoted" || node.type === "AnsiCQuoted") &&
      /[$`]/.test(node.text.replace(/^\$/, ""))
    )
      walk.block("expansion", part.text);
    forEachChild(node, (child) => {
      stack.push(child);
    });
  }
}

function checkNested(node: SyntaxNode, walk: Walk): void {
  if (node.type === "ArithmeticExpansion") checkArithmetic(node.text, arithmeticText(node.text), walk);
  if (node.type !== "ParameterExpansion") return;
  checkOperand(node, walk);
  const { operation, index } = node;
  if (node.prefix === "!" || operation?.type === "Unknown") walk.block("indirect", node.text);
  if (index !== undefined && index.text !== "@" && index.text !== "*")
    checkArithmetic(node.text, index.text, walk);
  if (operation?.type === "Slice") {
    checkArithmetic(node.text, operation.offset.text, walk);
    if (operation.length !== undefined) checkArithmetic(node.text, operation.length.text, walk);
  }
  if (operation?.type === "Transform" && !/^[QULuEAKak]$/.test(operation.operand.text))
    walk.block("indirect", node.text);
  if (operation?.type === "Default" && operation.operator.includes("=") && isOpaqueName(node.parameter)) {
    walk.block("assignment", node.text);
  }
}

/** Walks what a word holds when its value does not matter. */
export function walkWord(word: Word | undefined, walk: Walk, state: State): void {
  if (word !== undefined && /[$`(<>]/.test(word.text)) walkNested([word], walk, state);
}
