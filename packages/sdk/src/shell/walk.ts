import { walkCompound } from "./compound.ts";
import { MAX_NESTING } from "./limits.ts";
import { relink } from "./links.ts";
import { reserve } from "./reserve.ts";
import { walkCommand } from "./simple.ts";
import { joinStates, type Outcome, type State, same, UNKNOWN_INPUT, withInput } from "./state.ts";
import type { CommandNode, Node, ParsedScript, PipelineNode, Statement } from "./tree.ts";
import type { Walk } from "./walk-types.ts";

/** Walks a script's statements, in order. */
export function walkScript(script: ParsedScript, walk: Walk, state: State): State {
  if (script.errors !== undefined && script.errors.length > 0) {
    walk.block("parse", script.errors[0]?.message ?? "");
  }
  return walkStatements(
    script.commands,
    walk,
    script.source === undefined || script.source === state.source
      ? state
      : { ...state, source: script.source },
  );
}

export function walkStatements(statements: readonly Statement[], walk: Walk, state: State): State {
  let current = state;
  for (const statement of statements) {
    if (walk.full) return current;
    const first = walk.paths.length;
    const before = walk.unordered;
    const outcome = walkNode(statement.command, walk, current);
    if (statement.background === true) {
      // What runs in the background changes nothing here, and meets whatever is done meanwhile.
      walk.late.push([first, walk.paths.length]);
      continue;
    }
    if (walk.unordered > before) relink(walk, first);
    current = joinStates(outcome.ok, outcome.fail);
  }
  return current;
}

/** Walks one node. The depth is bounded, so plain recursion is safe here. */
export function walkNode(node: Node, walk: Walk, state: State): Outcome {
  if (node.type === "Command") return walkSimple(node, walk, state, "");
  if (walk.depth >= MAX_NESTING) {
    walk.block("nesting", state.source.slice(node.pos, node.end));
    return same(state);
  }
  walk.depth += 1;
  const outcome = walkInner(node, walk, state);
  walk.depth -= 1;
  return outcome;
}

function walkInner(node: Node, walk: Walk, state: State): Outcome {
  if (node.type === "AndOr") return walkAndOr(node.commands, node.operators, walk, state);
  if (node.type === "Pipeline") return walkPipeline(node, walk, state);
  if (node.type === "Command") return walkSimple(node, walk, state, "");
  return walkCompound(node, walk, state);
}

function walkSimple(
  node: Extract<CommandNode, { type: "Command" }>,
  walk: Walk,
  state: State,
  prefix: string,
): Outcome {
  const draft = reserve(walk, state.carrier);
  return draft === undefined ? same(state) : walkCommand(node, walk, state, draft, prefix);
}

function walkAndOr(
  nodes: readonly PipelineNode[],
  operators: readonly ("&&" | "||")[],
  walk: Walk,
  state: State,
): Outcome {
  let outcome: Outcome | undefined;
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at] as PipelineNode;
    if (outcome === undefined) outcome = walkNode(node, walk, state);
    else {
      // Not of the first: to look behind the start of a list costs more than the rest of this function.
      const isAnd = operators[at - 1] === "&&";
      const next = walkNode(node, walk, isAnd ? outcome.ok : outcome.fail);
      outcome = isAnd
        ? { ok: next.ok, fail: joinStates(outcome.fail, next.fail) }
        : { ok: joinStates(outcome.ok, next.ok), fail: next.fail };
    }
  }
  return outcome ?? same(state);
}

function walkPipeline(node: Extract<Node, { type: "Pipeline" }>, walk: Walk, state: State): Outcome {
  const { prefixes } = node;
  // Most have none: what looks through a list is a function that must be made.
  const timed = prefixes.length === 0 ? undefined : prefixes.find((prefix) => prefix.type === "Time");
  const prefix = timed === undefined ? "" : timed.posix === undefined ? "time" : "time -p";
  const only = node.commands[0];
  if (only !== undefined && node.commands.length === 1) {
    const outcome =
      only.type === "Command" ? walkSimple(only, walk, state, prefix) : walkNode(only, walk, state);
    const negated = prefixes.length > 0 && prefixes.some((each) => each.type === "Negation");
    return negated ? { ok: outcome.fail, fail: outcome.ok } : outcome;
  }
  walk.unordered += 1;
  let inner = state;
  let before = prefix;
  for (const command of node.commands) {
    if (command.type === "Command") walkSimple(command, walk, inner, before);
    else walkNode(command, walk, inner);
    if (inner === state) inner = withInput(state, UNKNOWN_INPUT);
    before = "";
  }
  return same(state);
}
