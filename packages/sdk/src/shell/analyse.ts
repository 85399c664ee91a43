import { parse } from "unbash";
import type { Opacity, ShellAnalysis, ShellCommand } from "../protocol/index.ts";
import { isKeptOpacity } from "../protocol/index.ts";
import { findControl } from "./characters.ts";
import type { CommandDraft } from "./draft.ts";
import { emptyFacts, gatherFacts } from "./facts.ts";
import { finish } from "./finish.ts";
import { inspect } from "./inspect.ts";
import type { Inspected } from "./inspected.ts";
import {
  MAX_FORM_TEXT,
  MAX_INNER_LINES,
  MAX_INNER_TEXT,
  MAX_LINE_BYTES,
  MAX_LINE_VARIANTS,
  MAX_NESTING,
  MAX_NODES,
  MAX_OPACITIES,
  MAX_WALKED_TEXT,
} from "./limits.ts";
import { holdsTooManyMarks } from "./marks.ts";
import { isBlank, isPlainLine, normaliseLine } from "./normalise.ts";
import { type OpacityCode, opacity } from "./opacity.ts";
import { START_ONLY } from "./paths.ts";
import { recentAnalysis } from "./recent-lines.ts";
import { type Outcome, type State, startState } from "./state.ts";
import type { Node, ParsedScript, Statement } from "./tree.ts";
import { walkNode, walkScript, walkStatements } from "./walk.ts";
import type { Substitution, Walk } from "./walk-types.ts";

/**
 * Takes a command line apart: every command in it with the texts that rules are compared with, the files and
 * hosts it touches, and whatever cannot be seen through. Pure; never throws; looks at nothing but the text.
 *
 * @example
 * analyse("git status && rm -rf build").commands.map((command) => command.text);
 * // ["git status", "rm -rf build"]
 */
export function analyse(line: string): ShellAnalysis {
  return recentAnalysis(line, analyseFresh);
}

const NO_LINKS: readonly never[] = Object.freeze([]);

/** Without the cache. */
export function analyseFresh(line: string): ShellAnalysis {
  if (isTooLong(line)) return unseen(line, "too-long", line);
  if (holdsTooManyMarks(line)) {
    // Its files are out of sight as well.
    return { ...unseen(line), opaque: [opacity("too-many", line), opacity("too-many-paths", line)] };
  }
  if (isBlank(line))
    return { ...unseen(line), blank: findControl(line) === undefined, opaque: controlOf(line) };
  try {
    return seen(line);
  } catch {
    return unseen(line, "internal", line);
  }
}

function isTooLong(line: string): boolean {
  if (line.length > MAX_LINE_BYTES) return true;
  return line.length * 3 > MAX_LINE_BYTES && Buffer.byteLength(line) > MAX_LINE_BYTES;
}

function unseen(line: string, code?: OpacityCode, text = ""): ShellAnalysis {
  return {
    line,
    blank: false,
    commands: [],
    opaque: code === undefined ? [] : [opacity(code, text)],
    normalised: line.trim(),
    paths: [],
    hosts: [],
  };
}

function controlOf(line: string): Opacity[] {
  const control = findControl(line);
  return control === undefined ? [] : [opacity("control", control)];
}

function seen(line: string): ShellAnalysis {
  const isPlain = isPlainLine(line);
  const walk = newWalk(isPlain ? [] : controlOf(line));
  const script = parse(line);
  gather(script, walk);
  walkScript(script, walk, startState(line));
  if (script.commands.length === 0) walk.block("parse", line);
  const commands: readonly ShellCommand[] = finish(walk);
  return {
    line,
    blank: false,
    commands,
    opaque: walk.opaque,
    normalised: isPlain ? line.trim() : normaliseLine(line),
    paths: walk.paths,
    hosts: walk.hosts,
  };
}

function newWalk(opaque: Opacity[]): Walk {
  return {
    drafts: [],
    opaque,
    paths: [],
    hosts: [],
    pathWords: [],
    links: NO_LINKS,
    unpacked: false,
    late: [],
    unordered: 0,
    visited: START_ONLY,
    facts: emptyFacts(),
    variantsLeft: MAX_LINE_VARIANTS,
    innerTextLeft: MAX_INNER_TEXT,
    formTextLeft: MAX_FORM_TEXT,
    walkedTextLeft: MAX_WALKED_TEXT,
    depth: 0,
    scanLeft: MAX_NODES,
    launched: 0,
    full: false,
    block,
    substitution,
    innerLine,
    node: walkBelow,
    statements: walkBodies,
    inspect: inspectBelow,
  };
}

// Functions of their own, not closures: a walk is made for every line.

function block(this: Walk, code: OpacityCode, text: string): void {
  const { opaque } = this;
  const isKept = isKeptOpacity(code);
  // What is asked about in every mode is never crowded out by other reasons.
  if (isKept ? opaque.some((each) => each.code === code) : opaque.length >= MAX_OPACITIES) return;
  if (opaque.some((each) => each.code === code && each.text === text.slice(0, 200))) return;
  opaque.push(opacity(code, text));
}

function substitution(this: Walk, part: Substitution, state: State): void {
  const { text } = part;
  this.walkedTextLeft -= text.length;
  if (this.walkedTextLeft < 0) {
    this.block("too-many", text);
    return;
  }
  const { script } = part;
  if (script === undefined) {
    this.block("parse", text);
    return;
  }
  if (this.depth >= MAX_NESTING) {
    this.block("nesting", text);
    return;
  }
  this.depth += 1;
  walkScript(script, this, state);
  this.depth -= 1;
}

function walkBelow(this: Walk, node: Node, state: State): Outcome {
  return walkNode(node, this, state);
}

function walkBodies(this: Walk, statements: readonly Statement[], state: State): State {
  return walkStatements(statements, this, state);
}

function inspectBelow(this: Walk, command: Inspected, state: State, draft: CommandDraft): void {
  inspect(command, this, state, draft);
}

function innerLine(this: Walk, text: string, state: State, carrier: number): void {
  this.innerTextLeft -= text.length;
  if (this.depth >= MAX_NESTING || state.innerLines >= MAX_INNER_LINES || this.innerTextLeft < 0) {
    this.block("nesting", text);
    return;
  }
  const control = findControl(text);
  // Marks for home and working directory are ours; whoever writes them is stopped at the line itself.
  if (control !== undefined) this.block(/[\uFDD0\uFDD1]/.test(text) ? "dynamic-script" : "control", text);
  if (isBlank(text)) return;
  if (holdsTooManyMarks(text)) {
    this.block("too-many", text);
    this.block("too-many-paths", text);
    return;
  }
  const script = parse(text);
  if (script.commands.length === 0) this.block("parse", text);
  gather(script, this);
  this.depth += 1;
  walkScript(script, this, { ...state, source: text, carrier, innerLines: state.innerLines + 1 });
  this.depth -= 1;
}

function gather(script: ParsedScript, walk: Walk): void {
  if (gatherFacts(script, walk.facts) >= 0) return;
  walk.facts.anyName = true;
  walk.block("too-many", "");
}
