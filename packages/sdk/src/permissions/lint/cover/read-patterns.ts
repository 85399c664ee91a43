import type { PermissionContext } from "../../../protocol/index.ts";
import { type PathPattern, parsePathPattern } from "../../rule/path-pattern.ts";
import type { StarPieces } from "../../rule/star.ts";
import { foldPattern, parseTextPattern } from "../../rule/text-pattern.ts";
import type { Subject } from "../subject.ts";

/** Stands for "any text" where one pattern is tried on another. No literal piece of a rule that is read holds it. */
const ANY = "\u{10ffff}";

/** A pattern over texts that holds no operator. */
export interface TextCase {
  readonly alternatives: readonly StarPieces[];
  /** The alternatives as texts on which another pattern is tried. */
  readonly texts: readonly string[];
  /** The same for two spellings of one rule. */
  readonly meaning: string;
}

/** The patterns of rules, each read once. */
export interface Patterns {
  text(subject: Subject): TextCase | undefined;
  path(subject: Subject): PathPattern | undefined;
}

/** @param binds without case, and paths by their wider anchors. */
export function readPatterns(context: PermissionContext, binds: boolean): Patterns {
  return {
    text: remembered((subject) => readText(subject, binds)),
    path: remembered((subject) => readPath(subject, context, binds)),
  };
}

function remembered<T>(read: (subject: Subject) => T): (subject: Subject) => T {
  const known = new Map<Subject, T>();
  return (subject) => {
    if (known.has(subject)) return known.get(subject) as T;
    const value = read(subject);
    known.set(subject, value);
    return value;
  };
}

function readText({ family, specifier }: Subject, binds: boolean): TextCase | undefined {
  if (specifier === undefined || (family !== "bash" && family !== "agent" && family !== "name"))
    return undefined;
  if (specifier.includes(ANY)) return undefined;
  const parsed = parseTextPattern(specifier, family === "bash");
  if ("error" in parsed) return undefined;
  const pattern = binds ? foldPattern(parsed) : parsed;
  if (pattern.kind !== "word") return undefined;
  const { alternatives } = pattern;
  const meaning = specifier.endsWith(":*") ? `${specifier.slice(0, -2)} *` : specifier;
  return { alternatives, texts: alternatives.map((pieces) => pieces.join(ANY)), meaning };
}

function readPath(
  { family, specifier, rule }: Subject,
  context: PermissionContext,
  binds: boolean,
): PathPattern | undefined {
  if (specifier === undefined || (family !== "read" && family !== "edit")) return undefined;
  const { source, slashRoot } = rule;
  const pattern = parsePathPattern(specifier, { source, slashRoot, binds, context });
  return pattern === undefined || "error" in pattern ? undefined : pattern;
}
