import {
  firstWordOf,
  foldFirstWord,
  foldPattern,
  matchesText,
  mayMatchText,
  type TextPattern,
} from "../rule/text-pattern.ts";
import { type BoundRule, isLive } from "./bound-rule.ts";
import { listAt } from "./list-at.ts";
import { earlier, type Placed } from "./placed.ts";

export interface TextRule extends BoundRule {
  readonly pattern: TextPattern;
  /** The text between the brackets as it was written, for a tool that reads it itself. */
  readonly specifier: string;
  /** For deny and ask: the same with the command word in lower case. */
  readonly folded: TextPattern | undefined;
}

/** Rules over texts (commands), found by the first two words of the text. */
export interface TextIndex {
  readonly all: readonly TextRule[];
  /** By the first word, then by the second with a blank behind it; "" where a rule spells no second word. */
  readonly byWord: ReadonlyMap<string, ReadonlyMap<string, readonly Placed<TextRule>[]>>;
  /** Rules whose first word is not literal. */
  readonly rest: readonly Placed<TextRule>[];
  readonly byLine: ReadonlyMap<string, readonly TextRule[]>;
  /** Rules that name whole lines, by the first word of the line. */
  readonly lines: ReadonlyMap<string, readonly Placed<TextRule>[]>;
}

export function indexTexts(rules: readonly TextRule[]): TextIndex {
  const byWord = new Map<string, Map<string, Placed<TextRule>[]>>();
  const byLine = new Map<string, TextRule[]>();
  const lines = new Map<string, Placed<TextRule>[]>();
  const rest: Placed<TextRule>[] = [];
  rules.forEach((rule, at) => {
    const pattern = rule.folded ?? rule.pattern;
    if (pattern.kind === "line") {
      listAt(byLine, pattern.text).push(rule);
      listAt(lines, firstWordOf(pattern.text)).push({ rule, at });
    } else if (pattern.firstWord === undefined) rest.push({ rule, at });
    else {
      const bySecond = byWord.get(pattern.firstWord) ?? new Map<string, Placed<TextRule>[]>();
      byWord.set(pattern.firstWord, bySecond);
      listAt(bySecond, secondWordOf(pattern.alternatives)).push({ rule, at });
    }
  });
  return { all: rules, byWord, rest, byLine, lines };
}

/** The second word that every text of the pattern begins with, if its blank is spelt as well; else "". */
function secondWordOf(alternatives: readonly (readonly string[])[]): string {
  let common: string | undefined;
  for (const pieces of alternatives) {
    // A text without a wildcard ends where the pattern does: `git push` and `git push *` name the same second word.
    const word = secondOf(pieces.length === 1 ? `${pieces[0] ?? ""} ` : (pieces[0] ?? ""));
    if (word === "" || (common !== undefined && common !== word)) return "";
    common = word;
  }
  return common ?? "";
}

/** The second word of a text with a blank behind it; "" where there is none. */
function secondOf(text: string): string {
  const first = text.indexOf(" ");
  const second = first < 0 ? -1 : text.indexOf(" ", first + 1);
  return second < 0 ? "" : text.slice(first + 1, second);
}

/** The second word of a text, which may end with it; "" where there is none. */
function secondWord(text: string): string {
  const first = text.indexOf(" ");
  if (first < 0) return "";
  const second = text.indexOf(" ", first + 1);
  return text.slice(first + 1, second < 0 ? text.length : second);
}

type BySecond = ReadonlyMap<string, readonly Placed<TextRule>[]>;

/**
 * The first rule that names one of the texts of a command, which mostly start with the same word: that is looked up once.
 *
 * @param likely what that word will be: one that was looked up before is not hashed again.
 */
export function findAnyText(
  index: TextIndex,
  texts: readonly string[],
  likely: string | undefined,
  now: number,
): TextRule | undefined {
  if (index.all.length === 0) return undefined;
  const { byWord, rest } = index;
  let word: string | undefined;
  let exact: BySecond | undefined;
  let folded: BySecond | undefined;
  for (const text of texts) {
    if (word === undefined || !startsWithWord(text, word)) {
      word = likely !== undefined && isFirstWord(text, likely) ? likely : firstWordOf(text);
      const lower = word.toLowerCase();
      exact = byWord.get(word);
      // Deny and ask rules stand under their first word in lower case.
      folded = lower === word ? undefined : byWord.get(lower);
    }
    if (exact === undefined && folded === undefined && rest.length === 0) continue;
    const found =
      findUnder(exact, text, now) ??
      findUnder(folded, text, now) ??
      firstNaming(undefined, rest, text, now)?.rule;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether `word` is what `firstWordOf(text)` gives. */
function isFirstWord(text: string, word: string): boolean {
  return startsWithWord(text, word) && !word.includes(" ");
}

function startsWithWord(text: string, word: string): boolean {
  return text.startsWith(word) && (text.length === word.length || text.charCodeAt(word.length) === BLANK);
}

const BLANK = 32;

function findUnder(bySecond: BySecond | undefined, text: string, now: number): TextRule | undefined {
  if (bySecond === undefined) return undefined;
  const second = secondWord(text);
  const named = second === "" ? undefined : firstNaming(undefined, bySecond.get(second), text, now);
  return firstNaming(named, bySecond.get(""), text, now)?.rule;
}

/** `earlier`, for rules that name the text. Every form of a command comes here: no function is made for it. */
function firstNaming(
  found: Placed<TextRule> | undefined,
  list: readonly Placed<TextRule>[] | undefined,
  text: string,
  now: number,
): Placed<TextRule> | undefined {
  if (list === undefined) return found;
  for (const placed of list) {
    if (found !== undefined && placed.at > found.at) return found;
    if (isLive(placed.rule, now) && names(placed.rule, text)) return placed;
  }
  return found;
}

function names(rule: TextRule, text: string): boolean {
  if (matchesText(rule.pattern, text)) return true;
  return rule.folded !== undefined && matchesText(rule.folded, foldFirstWord(text));
}

/** The first rule with an operator whose text is this whole line. */
export function findLine(index: TextIndex, line: string, now: number): TextRule | undefined {
  if (index.byLine.size === 0) return undefined;
  const rules = index.byLine.get(line) ?? index.byLine.get(foldFirstWord(line));
  return rules?.find((rule) => isLive(rule, now) && names(rule, line));
}

/** The first rule that some value of the unknown words would make bind. */
export function findPossibleText(
  index: TextIndex,
  pieces: readonly string[],
  now: number,
): TextRule | undefined {
  if (index.all.length === 0) return undefined;
  const head = pieces[0] ?? "";
  const folded = [foldFirstWord(head), ...pieces.slice(1)];
  const binds = (rule: TextRule): boolean =>
    isLive(rule, now) &&
    (mayMatchText(rule.pattern, pieces) || (rule.folded !== undefined && mayMatchText(rule.folded, folded)));
  // Where the first word is not whole, it may be that of any rule.
  if (!head.includes(" ")) return index.all.find(binds);
  let found: Placed<TextRule> | undefined;
  for (const word of new Set([firstWordOf(head), firstWordOf(head).toLowerCase()])) {
    for (const list of listsUnder(index.byWord.get(word), secondOf(head))) {
      found = earlier(found, list, binds);
    }
    found = earlier(found, index.lines.get(word), binds);
  }
  return earlier(found, index.rest, binds)?.rule;
}

/** The lists in which a rule may stand that names some text with this second word; "": it is not known. */
function listsUnder(
  bySecond: ReadonlyMap<string, readonly Placed<TextRule>[]> | undefined,
  second: string,
): Iterable<readonly Placed<TextRule>[] | undefined> {
  if (bySecond === undefined) return [];
  return second === "" ? bySecond.values() : [bySecond.get(second), bySecond.get("")];
}

/** A rule as this index wants it. */
export function textRule(bound: BoundRule, specifier: string, pattern: TextPattern): TextRule {
  const binds = bound.rule.behavior !== "allow";
  return { ...bound, pattern, specifier, folded: binds ? foldPattern(pattern) : undefined };
}
