import { foldCase } from "./fold-name.ts";

/** One element of a pattern: any run of characters, or a test of one character. */
type Element = "any" | ((character: string) => boolean);

const CLASSES: ReadonlyMap<string, RegExp> = new Map([
  ["alpha", /\p{L}/u],
  ["digit", /\d/],
  ["alnum", /[\p{L}\p{N}]/u],
  ["upper", /\p{Lu}/u],
  ["lower", /\p{Ll}/u],
  ["space", /\s/],
  ["punct", /[!-/:-@[-`{-~]/],
  ["xdigit", /[0-9A-Fa-f]/],
  ["word", /\w/],
]);

/** Whether a file name, all that stands between two slashes, is meant. */
export type NameTest = (name: string) => boolean;

/**
 * One part of a pattern as a shell reads it: `*`, `?`, `[…]` and backslashes, nothing else. A test takes at
 * most (length of pattern) times (length of name) steps, whatever the pattern.
 *
 * @param options `hidden`: a wildcard may match a leading dot. `fold`: letter case does not count.
 */
export function compilePart(
  pattern: string,
  options: { readonly hidden?: boolean; readonly fold?: boolean } = {},
): NameTest {
  const fold = options.fold === true ? foldCase : (text: string) => text;
  // Of text without letter case nothing is upper case any more.
  const folded = fold(pattern);
  const elements = compile(
    options.fold === true ? folded.replace(/\[:(?:upp|low)er:\]/g, "[:alpha:]") : folded,
  );
  const seesHidden = options.hidden === true || /^\\?\./.test(pattern);
  return (name) => (seesHidden || !name.startsWith(".")) && matches(elements, [...fold(name)]);
}

/** Goes back to the last run only: that bounds its steps. */
function matches(elements: readonly Element[], text: readonly string[]): boolean {
  let at = 0;
  let i = 0;
  let star = -1;
  let resume = 0;
  while (i < text.length) {
    const element = elements[at];
    if (element === "any") {
      star = at++;
      resume = i;
    } else if (element?.(text[i] ?? "")) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++resume;
    } else {
      return false;
    }
  }
  while (elements[at] === "any") at++;
  return at === elements.length;
}

function compile(pattern: string): Element[] {
  const characters = [...pattern];
  const elements: Element[] = [];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? "";
    const set = character === "[" ? readSet(characters, i) : undefined;
    if (set !== undefined) {
      elements.push(set.test);
      i = set.end;
    } else if (character === "*") {
      elements.push("any");
    } else if (character === "?") {
      elements.push(() => true);
    } else {
      const wanted = character === "\\" && i + 1 < characters.length ? characters[++i] : character;
      elements.push((other) => other === wanted);
    }
  }
  return elements;
}

/** Reads `[…]` from its bracket on; undefined where it has no end, and the bracket is a plain one. */
function readSet(
  characters: readonly string[],
  start: number,
): { test: (character: string) => boolean; end: number } | undefined {
  let i = start + 1;
  const negated = characters[i] === "!" || characters[i] === "^";
  if (negated) i++;
  const tests: ((character: string) => boolean)[] = [];
  for (const first = i; i < characters.length; i++) {
    const character = characters[i] ?? "";
    if (character === "]" && i > first) {
      return { test: (other) => tests.some((test) => test(other)) !== negated, end: i };
    }
    const named = /^\[:(\w+):\]/.exec(characters.slice(i, i + 12).join(""));
    const known = CLASSES.get(named?.[1] ?? "");
    if (named !== null && known !== undefined) {
      tests.push((other) => known.test(other));
      i += named[0].length - 1;
      continue;
    }
    const low = character === "\\" ? (characters[++i] ?? "") : character;
    if (characters[i + 1] === "-" && characters[i + 2] !== "]") {
      i += characters[i + 2] === "\\" ? 3 : 2;
      const high = characters[i] ?? "";
      tests.push((other) => codeOf(other) >= codeOf(low) && codeOf(other) <= codeOf(high));
    } else {
      tests.push((other) => other === low);
    }
  }
  return undefined;
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;
