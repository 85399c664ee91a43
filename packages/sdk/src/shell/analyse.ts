import { parse } from "unbash";
import type { Opacity, ShellAnalysis, ShellCommand } from "../protocol/index.ts";
import { findControl } from "./characters.ts";
import type { CommandDraft } from "./draft.ts";
import { emptyFacts, gatherFacts } from "./facts.ts";
import { finish } from "./finish.ts";
import { inspect } from "./inspect.ts";
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
import { isBlank, normaliseLine } from "./normalise.ts";
import { type OpacityCode, opacity } from "./opacity.ts";
import { recentAnalysis } from "./recent-lines.ts";
import { type State, startState } from "./state.ts";
import type { ParsedScript } from "./tree.ts";
import { walkNode, walkScript, walkStatements } from "./walk.ts";
import type { Walk } from "./walk-types.ts";

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

const KEPT_REASONS: ReadonlySet<OpacityCode> = new Set<OpacityCode>(["network", "too-many-paths"]);

/** Without the cache. */
export function analyseFresh(line: string): ShellAnalysis {
  if (isTooLong(line)) return unseen(line, "too-long", line);
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

function controlOf(line: string): readonly Opacity[] {
  const control = findControl(line);
  return control === undefined ? [] : [opacity("control", control)];
}

function seen(line: string): ShellAnalysis {
  const walk = newWalk(line);
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
    normalised: normaliseLine(line),
    paths: walk.paths,
    hosts: walk.hosts,
  };
}

function newWalk(line: string): Walk {
  const opaque: Opacity[] = [...controlOf(line)];
  const drafts: CommandDraft[] = [];
  const walk: Walk = {
    drafts,
    opaque,
    paths: [],
    hosts: [],
    pathWords: [],
    links: [],
    unpacked: false,
    late: [],
    unordered: 0,
    visited: new Set([""]),
    facts: emptyFacts(),
    variantsLeft: MAX_LINE_VARIANTS,
    innerTextLeft: MAX_INNER_TEXT,
    formTextLeft: MAX_FORM_TEXT,
    walkedTextLeft: MAX_WALKED_TEXT,
    depth: 0,
    scanLeft: MAX_NODES,
    full: false,
    block(code, text) {
      const isKept = KEPT_REASONS.has(code);
      // What is asked about in every mode is never crowded out by other reasons.
      if (isKept ? opaque.some((each) => each.code === code) : opaque.length >= MAX_OPACITIES) return;
      if (opaque.some((each) => each.code === code && each.text === text.slice(0, 200))) return;
      opaque.push(opacity(code, text));
    },
    substitution(part, state) {
      const { text } = part;
      walk.walkedTextLeft -= text.length;
      if (walk.walkedTextLeft < 0) {
        walk.block("too-many", text);
        return;
      }
      const { script } = part;
      if (script === undefined) {
        walk.block("parse", text);
        return;
      }
      if (walk.depth >= MAX_NESTING) {
        walk.block("nesting", text);
        return;
      }
      walk.depth += 1;
      walkScript(script, walk, state);
      walk.depth -= 1;
    },
    innerLine(text, state, carrier) {
      innerLine(walk, text, state, carrier);
    },
    node: (node, state) => walkNode(node, walk, state),
    statements: (statements, state) => walkStatements(statements, walk, state),
    inspect: (command, state, draft) => inspect(command, walk, state, draft),
  };
  return walk;
}

function innerLine(walk: Walk, text: string, state: State, carrier: number): void {
  walk.innerTextLeft -= text.length;
  if (walk.depth >= MAX_NESTING || state.innerLines >= MAX_INNER_LINES || walk.innerTextLeft < 0) {
    walk.block("nesting", text);
    return;
  }
  const control = findControl(text);
  // Marks for home and working directory are ours; whoever writes them is stopped at the line itself.
  if (control !== undefined) walk.block(/[\uFDD0\uFDD1]/.test(text) ? "dynamic-script" : "control", text);
  if (isBlank(text)) return;
  const script = parse(text);
  if (script.commands.length === 0) walk.block("parse", text);
  gather(script, walk);
  walk.depth += 1;
  walkScript(script, walk, { ...state, source: text, carrier, innerLines: state.innerLines + 1 });
  walk.depth -= 1;
}

function gather(script: ParsedScript, walk: Walk): void {
  if (gatherFacts(script, walk.facts) >= 0) return;
  walk.facts.anyName = true;
  walk.block("too-many", "");
}
