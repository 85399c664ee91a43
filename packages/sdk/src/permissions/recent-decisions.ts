import {
  createRecent,
  type Decision,
  type PathResolution,
  type PermissionContext,
  type Recent,
  type ResolvedTarget,
  type ShellAnalysis,
} from "../protocol/index.ts";
import type { DecideCall } from "./call.ts";
import type { CompiledPolicy } from "./policy/compile.ts";
import { type CallPrint, isPrinted, printOf } from "./same-call.ts";

/** What was decided about the last lines under one policy. */
interface Memory {
  /** Names and values of the context as it was: of one that its owner changes nothing is remembered. */
  readonly context: readonly unknown[];
  /** "once": it did not come again yet. What is kept of every line costs more than deciding it. */
  readonly lines: Recent<Entry | "once">;
}

/** A decision, and what it was made from. */
interface Entry {
  readonly print: CallPrint;
  readonly decision: Decision;
}

/** The one line that came so far. A memory is made with the second: many a session waits for a person with its first. */
interface First {
  readonly first: string;
}

/** Rules of this policy expire, so that its decisions depend on the time. */
const NOTHING = Symbol("nothing");

const memories = new WeakMap<CompiledPolicy, Memory | First | typeof NOTHING>();

/** Longer lines, and those with more targets, are rare and would fill the memory. */
const LONGEST = 4096;
const MOST_TARGETS = 32;

/**
 * The decision about a shell line that was decided before: by the same policy, for the same analysis, with targets that
 * were looked up anew and are equal in every field. Otherwise `decide(call)`.
 *
 * From the second time on that a line comes its decision is kept. It belongs to copies of what it was made from, and
 * nobody who gets it can change it for others.
 */
export function rememberedDecision(
  call: DecideCall,
  policy: CompiledPolicy,
  decide: (call: DecideCall) => Decision,
): Decision {
  const analysis = lineOf(call);
  const memory = analysis === undefined ? undefined : memoryOf(policy, analysis.line);
  if (analysis === undefined || memory === undefined) return decide(call);
  const known = memory.lines.getOrSet(analysis.line, "once");
  if (known === undefined) return decide(call);
  if (known !== "once" && isPrinted(known.print, call)) return known.decision;
  const own = copyOf(call);
  const decision = shared(decide(own));
  memory.lines.set(analysis.line, { print: printOf(own), decision });
  return decision;
}

/** The one line of a call; undefined for a call that is not remembered. */
function lineOf({ tool, targets, check, hooks }: DecideCall): ShellAnalysis | undefined {
  const first = targets[0];
  if (first?.kind !== "command" || targets.length > MOST_TARGETS) return undefined;
  if (check !== undefined || hooks !== undefined) return undefined;
  if (tool.mcp !== undefined || tool.matchesSpecifier !== undefined) return undefined;
  return first.analysis.line.length > LONGEST ? undefined : first.analysis;
}

/** Undefined where nothing is remembered, and for the first line. */
function memoryOf(policy: CompiledPolicy, line: string): Memory | undefined {
  const known = memories.get(policy);
  const { context } = policy;
  if (known === undefined) {
    const expires = context.rules.some((rule) => rule.expires !== undefined);
    memories.set(policy, expires ? NOTHING : { first: line });
    return undefined;
  }
  if (known === NOTHING) return undefined;
  if (!("first" in known)) return isContext(known.context, context) ? known : undefined;
  const memory: Memory = { context: Object.entries(context).flat(), lines: createRecent(32) };
  memory.lines.set(known.first, "once");
  memories.set(policy, memory);
  return memory;
}

/** By what its fields are, not by what is in them: a list that is changed in place is not seen by its policy either. */
function isContext(known: readonly unknown[], context: PermissionContext): boolean {
  let at = 0;
  for (const field in context) {
    if (known[at] !== field || known[at + 1] !== context[field as keyof PermissionContext]) return false;
    at += 2;
  }
  return at === known.length;
}

function copyOf(call: DecideCall): DecideCall {
  const tool = { ...call.tool, aliases: [...call.tool.aliases] };
  return { tool, input: call.input, targets: call.targets.map(copyOfTarget) };
}

function copyOfTarget(target: ResolvedTarget): ResolvedTarget {
  if (target.kind !== "path") return { ...target };
  const { from, maybe, shell, resolutions } = target;
  return {
    ...target,
    resolutions: resolutions.map(copyOfResolution),
    ...(from === undefined ? {} : { from: [...from] }),
    ...(maybe === undefined ? {} : { maybe: [...maybe] }),
    ...(shell === undefined ? {} : { shell: { ...shell } }),
  };
}

function copyOfResolution(resolution: PathResolution): PathResolution {
  const { protected: name, holds, identity } = resolution;
  return {
    ...resolution,
    hops: [...resolution.hops],
    ...(name === undefined ? {} : { protected: { ...name } }),
    ...(holds === undefined ? {} : { holds: { ...holds } }),
    ...(identity === undefined ? {} : { identity: { ...identity } }),
  };
}

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}

/** A copy of plain data: what is kept is told to several, and each may do with it as it likes. */
function copied<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copied) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copied(inner)])) as T;
}

/** A decision for all who ask the same again: what is there cannot be changed, what is made later is given as copies. */
function shared(decision: Decision): Decision {
  const { behavior, reason, hard, rule } = decision;
  freeze(reason);
  freeze(rule);
  const kept: Decision = {
    behavior,
    reason,
    hard,
    get message() {
      return decision.message;
    },
    get trace() {
      return copied(decision.trace);
    },
    get suggestions() {
      return copied(decision.suggestions);
    },
    ...(rule === undefined ? {} : { rule }),
  };
  return Object.freeze(kept);
}
