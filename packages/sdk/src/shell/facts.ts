import { type CommandArgument, forEachChild, type SyntaxNode, type Word } from "unbash";
import { MAX_NODES, MAX_SUBSTITUTED_TEXT } from "./limits.ts";
import { isName } from "./variables.ts";
import { isTooDeep } from "./words/deep-word.ts";
import { MAY_CHANGE, MAY_HOLD_PARTS, MAY_SET, marksOf } from "./words/word-marks.ts";

/** What a line sets and defines anywhere, whatever the order it runs in. */
export interface Facts {
  /** Names set by something other than arithmetic. */
  names: ReadonlySet<string>;
  /** Names whose value is not followed: set by `read`, `:=`, arithmetic and the like. */
  loose: ReadonlySet<string>;
  functions: ReadonlySet<string>;
  /** Aliases with their text; undefined when it is not literal. */
  aliases: ReadonlyMap<string, string | undefined>;
  /** Any name may be set: `eval`, `source`, a command of unknown name. */
  anyName: boolean;
  /** The working directory may change. */
  moves: boolean;
  /** Something may run more than once, or later than where it stands. */
  repeats: boolean;
}

const SETS = 1;
const EVALUATES = 2;
const MOVES = 4;
/** Another program stands behind it. */
const LEADS = 8;

/** What a program does to names and places. One table: each command is looked up in it once. */
const EFFECTS: ReadonlyMap<string, number> = effectsOf([
  [SETS, "read mapfile readarray getopts printf declare typeset local export readonly unset wait let coproc"],
  [EVALUATES, "eval source . trap enable"],
  [MOVES, "cd pushd popd eval source . trap chdir"],
  [LEADS, "command builtin exec env sudo"],
]);

function effectsOf(
  lists: readonly (readonly [effect: number, names: string])[],
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [effect, names] of lists)
    for (const name of names.split(" ")) found.set(name, (found.get(name) ?? 0) | effect);
  return found;
}

/** Most lines set nothing: a set is made with the first name that belongs there. */
const NO_NAMES: ReadonlySet<string> = new Set();
const NO_ALIASES: ReadonlyMap<string, string | undefined> = new Map();

export function emptyFacts(): Facts {
  return {
    names: NO_NAMES,
    loose: NO_NAMES,
    functions: NO_NAMES,
    aliases: NO_ALIASES,
    anyName: false,
    moves: false,
    repeats: false,
  };
}

/** Adds a name to one of the sets. */
export function addTo(facts: Facts, kind: "names" | "loose" | "functions", name: string): void {
  if (facts[kind] === NO_NAMES) facts[kind] = new Set([name]);
  else (facts[kind] as Set<string>).add(name);
}

/** A function or an alias of the line stands in the program's place. */
export function isDefined(name: string, { functions, aliases }: Facts): boolean {
  // Most lines define nothing.
  return (functions.size > 0 && functions.has(name)) || (aliases.size > 0 && aliases.has(name));
}

function addAlias(facts: Facts, name: string, text: string | undefined): void {
  if (facts.aliases === NO_ALIASES) facts.aliases = new Map([[name, text]]);
  else (facts.aliases as Map<string, string | undefined>).set(name, text);
}

/**
 * Adds what `root` sets. `sameShell`: leaves out what runs in a sub-shell. Returns how many of `nodes` are
 * left; below 0 the tree was too large and the facts are not whole.
 */
export function gatherFacts(
  root: SyntaxNode,
  facts: Facts,
  sameShell = false,
  nodes: number = MAX_NODES,
): number {
  let left = nodes;
  let text = MAX_SUBSTITUTED_TEXT;
  const stack: SyntaxNode[] = [root];
  // Most words are plain: looking for parts in one costs more than all the rest, and so does a turn on the stack.
  const push = (child: SyntaxNode): void => {
    if (child.type === "Word" && (marksOf(child.text) & MAY_HOLD_PARTS) === 0) left -= 1;
    else stack.push(child);
  };
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (sameShell && isSubShell(node)) continue;
    left -= 1;
    if (node.type === "CommandExpansion" || node.type === "ProcessSubstitution") text -= node.text.length;
    if (left < 0 || text < 0) return -1;
    if (node.type === "Word" && isTooDeep(node.text)) return -1;
    note(node, facts);
    forEachChild(node, push);
  }
  return left < 0 ? -1 : left;
}

function isSubShell(node: SyntaxNode): boolean {
  switch (node.type) {
    case "Subshell":
    case "CommandExpansion":
    case "ProcessSubstitution":
      return true;
    case "Pipeline":
      return node.commands.length > 1;
    case "Statement":
      return node.background === true;
    default:
      return false;
  }
}

function note(node: SyntaxNode, facts: Facts): void {
  switch (node.type) {
    case "Command":
      noteCommand(node.name, node.args, facts);
      return;
    case "Assignment":
      addTo(facts, "names", node.name);
      if (node.index !== undefined || node.append === true) addTo(facts, "loose", node.name);
      return;
    case "For":
    case "Select":
      addTo(facts, "names", node.name.value);
      facts.repeats = true;
      if (node.type === "Select") addTo(facts, "loose", node.name.value);
      return;
    case "While":
    case "ArithmeticFor":
      facts.repeats = true;
      return;
    case "Function":
      addTo(facts, "functions", node.name.value);
      facts.repeats = true;
      return;
    case "Coproc":
      addTo(facts, "loose", node.name?.value ?? "COPROC");
      return;
    case "FileDescriptorVariable":
      addTo(facts, "names", node.name);
      addTo(facts, "loose", node.name);
      return;
    case "ParameterExpansion":
      if (node.operation?.type === "Default" && node.operation.operator.includes("=")) {
        addTo(facts, "names", node.parameter);
        addTo(facts, "loose", node.parameter);
      }
      return;
    case "ArithmeticWord":
      if (isName(node.value)) addTo(facts, "loose", node.value);
      return;
    default:
  }
}

function noteCommand(name: Word | undefined, args: readonly CommandArgument[], facts: Facts): void {
  if (name === undefined) return;
  let at = 0;
  let program = staticValue(name);
  let effects = effectOf(program);
  while ((effects & LEADS) !== 0 && at < args.length) {
    do at += 1;
    while (at < args.length && /^-|=/.test(staticValue(args[at - 1]) ?? ""));
    program = staticValue(args[at - 1]);
    effects = effectOf(program);
  }
  if (program === undefined) {
    facts.anyName = true;
    facts.moves = true;
    return;
  }
  if ((effects & EVALUATES) !== 0) facts.anyName = true;
  if ((effects & MOVES) !== 0) facts.moves = true;
  if (program === "trap") facts.repeats = true;
  if (program === "alias") noteAliases(args.slice(at), facts);
  const setter = (effects & SETS) !== 0;
  noteWord(name, program, setter, facts);
  for (const word of args) noteWord(word, program, setter, facts);
}

function effectOf(program: string | undefined): number {
  return program === undefined ? 0 : (EFFECTS.get(program) ?? 0);
}

/** What one word of a program's call may set. */
function noteWord(word: CommandArgument, program: string, setter: boolean, facts: Facts): void {
  // Without one of them in its text, no value of a word sets a name.
  if (!setter && ((marksOf(word.text) & MAY_SET) === 0 || !/[=[]|\$'/.test(word.text))) return;
  const text = staticValue(word);
  if (text === undefined) {
    if (setter && word.type === "Word" && program !== "printf") facts.anyName = true;
    return;
  }
  if (text.includes("=") || text.includes("[")) {
    const setName = /^([A-Za-z_]\w*)\+?(?:=|\[)/.exec(text)?.[1];
    if (setName !== undefined) addTo(facts, "names", setName);
  }
  if (!setter) return;
  for (const part of text.split(/[^\w]+/)) {
    if (!isName(part)) continue;
    addTo(facts, "names", part);
    if (program !== "export" && program !== "readonly") addTo(facts, "loose", part);
  }
}

function noteAliases(words: readonly CommandArgument[], facts: Facts): void {
  for (const word of words) {
    if (word.type === "Assignment") {
      addAlias(facts, word.name, word.value.type === "Word" ? staticValue(word.value) : undefined);
      continue;
    }
    const text = staticValue(word);
    const spelt = text ?? word.text.replace(/["'\\]/g, "");
    const at = spelt.indexOf("=");
    if (at > 0) addAlias(facts, spelt.slice(0, at), text?.slice(at + 1));
  }
}

/** The value of a word that holds no expansion, else undefined. */
export function staticValue(word: CommandArgument | undefined): string | undefined {
  if (word === undefined || word.type !== "Word") return undefined;
  const text = word.text;
  if ((marksOf(text) & MAY_CHANGE) === 0) return word.value;
  if (isTooDeep(text)) return undefined;
  const parts = word.parts;
  if (parts === undefined) return /[$`]/.test(text) && !/[\\'"]/.test(text) ? undefined : word.value;
  for (const part of parts) {
    if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted") continue;
    if (part.type === "DoubleQuoted" && part.parts.every((inner) => inner.type === "Literal")) continue;
    return undefined;
  }
  return word.value;
}
