import {
  firstWordOf,
  foldFirstWord,
  foldPattern,
  matchesText,
  mayMatchText,
  type TextPattern,
} from "../rule/text-pattern.ts";
import { type BoundRule, isLive } from "./bound-rule.ts";

export interface TextRule extends BoundRule {
  readonly pattern: TextPattern;
  /** The text between the brackets as it was written, for a tool that reads it itself. */
  readonly specifier: string;
  /** For deny and ask: the same with the command word in lower case. */
  readonly folded: TextPattern | undefined;
}

/** Rules over texts (commands), found by the first word of the text. */
export interface TextIndex {
  readonly all: readonly TextRule[];
  readonly byWord: ReadonlyMap<string, readonly TextRule[]>;
  /** Rules whose first word is not literal. */
  readonly rest: readonly TextRule[];
  readonly byLine: ReadonlyMap<string, readonly TextRule[]>;
}

export function indexTexts(rules: readonly TextRule[]): TextIndex {
  const byWord = new Map<string, TextRule[]>();
  const byLine = new Map<string, TextRule[]>();
  const rest: TextRule[] = [];
  for (const rule of rules) {
    const pattern = rule.folded ?? rule.pattern;
    if (pattern.kind === "line") push(byLine, pattern.text, rule);
    else if (pattern.firstWord === undefined) rest.push(rule);
    else push(byWord, pattern.firstWord, rule);
  }
  return { all: rules, byWord, rest, byLine };
}

function push(map: Map<string, TextRule[]>, key: string, rule: TextRule): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [rule]);
  else list.push(rule);
}

/** The first rule that names the text of one command. */
export function findText(index: TextIndex, text: string, now: number): TextRule | undefined {
  if (index.all.length === 0) return undefined;
  const word = firstWordOf(text);
  return (
    findIn(index.byWord.get(word), text, now) ??
    findIn(lowerWord(index, word), text, now) ??
    findIn(index.rest, text, now)
  );
}

/** Deny and ask rules stand under their first word in lower case. */
function lowerWord(index: TextIndex, word: string): readonly TextRule[] | undefined {
  const lower = word.toLowerCase();
  return lower === word ? undefined : index.byWord.get(lower);
}

function findIn(rules: readonly TextRule[] | undefined, text: string, now: number): TextRule | undefined {
  return rules?.find((rule) => isLive(rule, now) && names(rule, text));
}

function names(rule: TextRule, text: string): boolean {
  if (matchesText(rule.pattern, text)) return true;
  return rule.folded !== undefined && matchesText(rule.folded, foldFirstWord(text));
}

/** The first rule with an operator whose text is this whole line. */
export function findLine(index: TextIndex, line: string, now: number): TextRule | undefined {
  if (index.byLine.size === 0) return undefined;
  const rules = index.byLine.get(line) ?? index.byLine.get(foldFirstWord(line));
  return findIn(rules, line, now);
}

/** The first rule that some value of the unknown words would make bind. */
export function findPossibleText(
  index: TextIndex,
  pieces: readonly string[],
  now: number,
): TextRule | undefined {
  const folded = [foldFirstWord(pieces[0] ?? ""), ...pieces.slice(1)];
  return index.all.find(
    (rule) =>
      isLive(rule, now) &&
      (mayMatchText(rule.pattern, pieces) ||
        (rule.folded !== undefined && mayMatchText(rule.folded, folded))),
  );
}

/** A rule as this index wants it. */
export function textRule(bound: BoundRule, specifier: string, pattern: TextPattern): TextRule {
  const binds = bound.rule.behavior !== "allow";
  return { ...bound, pattern, specifier, folded: binds ? foldPattern(pattern) : undefined };
}
