/** One piece of a segment's pattern: a literal run, any run, any one character, or one of a set. */
type Token =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "run" }
  | { readonly kind: "one" }
  | {
      readonly kind: "set";
      readonly negated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };

/** One component of a path pattern. `deep` is `**`: any number of components, none included. */
export type Segment =
  | { readonly kind: "deep" }
  | { readonly kind: "literal"; readonly text: string }
  | {
      readonly kind: "glob";
      readonly source: string;
      readonly tokens: readonly Token[];
      readonly orText?: string;
    };

export const DEEP: Segment = { kind: "deep" };

/**
 * Reads one component, gitignore style: `*`, `?`, `[a-z]`, `[!a]`, `\` before a literal character.
 *
 * @param alsoLiteral a component with brackets also names the same text taken literally (deny and ask:
 * a folder that is really called `[id]`).
 */
export function parseSegment(source: string, alsoLiteral: boolean): Segment {
  if (source === "**") return DEEP;
  const tokens: Token[] = [];
  let wild = false;
  let brackets = false;
  for (let index = 0; index < source.length; index += 1) {
    const char = source[index] ?? "";
    if (char === "\\" && index + 1 < source.length) {
      index += 1;
      tokens.push({ kind: "char", char: source[index] ?? "" });
    } else if (char === "*") {
      wild = true;
      if (tokens[tokens.length - 1]?.kind !== "run") tokens.push({ kind: "run" });
    } else if (char === "?") {
      wild = true;
      tokens.push({ kind: "one" });
    } else if (char === "[") {
      const set = parseSet(source, index);
      if (set === undefined) {
        tokens.push({ kind: "char", char });
      } else {
        wild = true;
        brackets = true;
        tokens.push(set.token);
        index = set.end;
      }
    } else {
      tokens.push({ kind: "char", char });
    }
  }
  if (!wild) return { kind: "literal", text: literalText(tokens) };
  const joined = joinSurrogates(tokens);
  return brackets && alsoLiteral
    ? { kind: "glob", source, tokens: joined, orText: source }
    : { kind: "glob", source, tokens: joined };
}

type Ranges = readonly (readonly [string, string])[];

const EVERY: Ranges = [["\u0000", "\uffff"]];
const LETTERS: Ranges = [
  ["a", "z"],
  ["A", "Z"],
];
const DIGITS: Ranges = [["0", "9"]];
/** Both cases for either: paths are compared without case where it matters. */
const CLASSES: ReadonlyMap<string, Ranges> = new Map([
  ["[:alpha:]", LETTERS],
  ["[:lower:]", LETTERS],
  ["[:upper:]", LETTERS],
  ["[:digit:]", DIGITS],
  ["[:alnum:]", [...LETTERS, ...DIGITS]],
  ["[:xdigit:]", [["a", "f"], ["A", "F"], ...DIGITS]],
  ["[:graph:]", [["!", "~"]]],
  [
    "[:punct:]",
    [
      ["!", "/"],
      [":", "@"],
      ["[", "`"],
      ["{", "~"],
    ],
  ],
  [
    "[:blank:]",
    [
      ["\t", "\t"],
      [" ", " "],
    ],
  ],
  [
    "[:space:]",
    [
      ["\t", "\r"],
      [" ", " "],
    ],
  ],
]);

function parseSet(source: string, start: number): { token: Token; end: number } | undefined {
  let index = start + 1;
  const negated = source[index] === "!" || source[index] === "^";
  if (negated) index += 1;
  const ranges: (readonly [string, string])[] = [];
  for (let first = true; index < source.length; index += 1, first = false) {
    const named = /^\[([:=.])(.*?)\1\]/su.exec(source.slice(index, index + 24));
    if (named !== null) {
      // `[:digit:]` as the shell reads it; of other names and forms any character may be meant.
      ranges.push(...(CLASSES.get(named[0]) ?? (negated ? [] : EVERY)));
      index += named[0].length - 1;
      continue;
    }
    if (source[index] === "]" && !first) return { token: { kind: "set", negated, ranges }, end: index };
    // A backslash makes the next character plain, also as an end of a range.
    if (source[index] === "\\" && index + 1 < source.length) index += 1;
    const lower = source[index] ?? "";
    let upper = lower;
    if (source[index + 1] === "-" && source[index + 2] !== undefined && source[index + 2] !== "]") {
      index += source[index + 2] === "\\" && source[index + 3] !== undefined ? 3 : 2;
      upper = source[index] ?? "";
    }
    ranges.push([lower, upper]);
  }
  return undefined;
}

function literalText(tokens: readonly Token[]): string {
  return tokens.map((token) => (token.kind === "char" ? token.char : "")).join("");
}

/** Two halves of one character become one token, so that `?` and sets count whole characters. */
function joinSurrogates(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const before = joined[joined.length - 1];
    if (token.kind === "char" && before?.kind === "char" && /^[\uD800-\uDBFF]$/u.test(before.char)) {
      joined[joined.length - 1] = { kind: "char", char: before.char + token.char };
    } else {
      joined.push(token);
    }
  }
  return joined;
}

/** Whether a component of a path is one that the pattern names. Time: the product of both lengths at most. */
export function matchesSegment(segment: Segment, text: string): boolean {
  if (segment.kind === "deep") return true;
  if (segment.kind === "literal") return segment.text === text;
  return segment.orText === text || matchesTokens(segment.tokens, text);
}

function matchesTokens(tokens: readonly Token[], text: string): boolean {
  const chars: ArrayLike<string> = /[\uD800-\uDFFF]/.test(text) ? Array.from(text) : text;
  let token = 0;
  let char = 0;
  let backToken = -1;
  let backChar = 0;
  while (char < chars.length) {
    const current = tokens[token];
    if (current?.kind === "run") {
      backToken = token;
      backChar = char;
      token += 1;
    } else if (current !== undefined && matchesOne(current, chars[char] ?? "")) {
      token += 1;
      char += 1;
    } else if (backToken >= 0) {
      backChar += 1;
      char = backChar;
      token = backToken + 1;
    } else {
      return false;
    }
  }
  while (tokens[token]?.kind === "run") token += 1;
  return token === tokens.length;
}

function matchesOne(token: Token, char: string): boolean {
  if (token.kind === "char") return token.char === char;
  if (token.kind === "set") {
    return token.ranges.some(([low, high]) => char >= low && char <= high) !== token.negated;
  }
  return token.kind === "one";
}

/** Whether some text is named by both components. A set counts as any character: better one question too many. */
export function segmentsMeet(a: Segment, b: Segment): boolean {
  if (a.kind === "deep" || b.kind === "deep") return true;
  if (a.kind === "literal") return matchesSegment(loosened(b), a.text);
  if (b.kind === "literal") return matchesSegment(loosened(a), b.text);
  return tokensMeet(a.tokens, b.tokens) || a.orText === b.source || b.orText === a.source;
}

function loosened(segment: Segment): Segment {
  if (segment.kind !== "glob") return segment;
  const tokens = segment.tokens.map((token): Token => (token.kind === "set" ? { kind: "one" } : token));
  return segment.orText === undefined
    ? { kind: "glob", source: segment.source, tokens }
    : { kind: "glob", source: segment.source, tokens, orText: segment.orText };
}

function tokensMeet(a: readonly Token[], b: readonly Token[]): boolean {
  // Column by column: `reach[j]` tells whether the first i tokens of `a` and the first j of `b` can describe one text.
  let reach: boolean[] = Array.from({ length: b.length + 1 }, (_, j) => b.slice(0, j).every(isRun));
  for (const left of a) {
    const next: boolean[] = [isRun(left) && reach[0] === true];
    for (let j = 1; j <= b.length; j += 1) {
      const right = b[j - 1];
      if (right === undefined) break;
      const both = reach[j - 1] === true && compatible(left, right);
      const skipLeft = isRun(left) && (reach[j] === true || next[j - 1] === true);
      const skipRight = isRun(right) && (next[j - 1] === true || reach[j] === true);
      next.push(both || skipLeft || skipRight);
    }
    reach = next;
  }
  return reach[b.length] === true;
}

function isRun(token: Token): boolean {
  return token.kind === "run";
}

function compatible(a: Token, b: Token): boolean {
  return a.kind !== "char" || b.kind !== "char" || a.char === b.char;
}
