import { hasOperator } from "./operators.ts";
import { piecesOf } from "./specifier.ts";
import { matchesStar, type StarPieces, starsMeet } from "./star.ts";

/**
 * What a Bash, Skill or custom-tool specifier means.
 *
 * `line`: the text of a whole command line, nothing in it a wildcard.
 * `word`: one or more lists of pieces, any of which may match (a word boundary is two lists:
 * the bare text, and the text with a blank and anything behind it).
 */
export type TextPattern =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "word"; readonly alternatives: readonly StarPieces[]; readonly firstWord?: string };

/** Reads a specifier. `shell` patterns with an operator describe whole lines. */
export function parseTextPattern(
  specifier: string,
  shell: boolean,
): TextPattern | { readonly error: string } {
  const pieces = piecesOf(specifier);
  const plain = pieces.join("*");
  if (shell && hasOperator(plain)) return { kind: "line", text: plain };
  const body = boundaryBody(pieces);
  if (body === undefined) return wordPattern([pieces], pieces, pieces.length === 1);
  if (body.length === 1 && (body[0] ?? "").trim() === "") {
    return { error: "there is nothing before the `*` at its end" };
  }
  const behind = [...body.slice(0, -1), `${body[body.length - 1] ?? ""} `, ""];
  return wordPattern([body, behind], body, body.length === 1);
}

/** The pieces before a trailing `:*` or ` *`, or undefined where there is none. */
function boundaryBody(pieces: readonly string[]): string[] | undefined {
  if (pieces.length < 2 || pieces[pieces.length - 1] !== "") return undefined;
  const before = pieces[pieces.length - 2] ?? "";
  if (!before.endsWith(":") && !before.endsWith(" ")) return undefined;
  return [...pieces.slice(0, -2), before.slice(0, -1)];
}

function wordPattern(alternatives: readonly StarPieces[], pieces: StarPieces, whole: boolean): TextPattern {
  const head = pieces[0] ?? "";
  const blank = head.indexOf(" ");
  if (blank > 0) return { kind: "word", alternatives, firstWord: head.slice(0, blank) };
  if (blank < 0 && whole && head !== "") return { kind: "word", alternatives, firstWord: head };
  return { kind: "word", alternatives };
}

/** Whether the pattern names this text, exactly as both are written. */
export function matchesText(pattern: TextPattern, text: string): boolean {
  if (pattern.kind === "line") return pattern.text === text;
  return pattern.alternatives.some((pieces) => matchesStar(pieces, text));
}

/** Whether some value of a text's unknown parts makes the pattern name it. */
export function mayMatchText(pattern: TextPattern, pieces: StarPieces): boolean {
  if (pattern.kind === "line") return matchesStar(pieces, pattern.text);
  return pattern.alternatives.some((own) => starsMeet(own, pieces));
}

/** The same pattern with the command word in lower case: what deny and ask compare with `foldFirstWord(text)`. */
export function foldPattern(pattern: TextPattern): TextPattern {
  if (pattern.kind === "line") return { kind: "line", text: foldFirstWord(pattern.text) };
  const alternatives = pattern.alternatives.map((pieces) => [
    foldFirstWord(pieces[0] ?? ""),
    ...pieces.slice(1),
  ]);
  return pattern.firstWord === undefined
    ? { kind: "word", alternatives }
    : { kind: "word", alternatives, firstWord: pattern.firstWord.toLowerCase() };
}

export function foldFirstWord(text: string): string {
  const blank = text.indexOf(" ");
  return blank < 0 ? text.toLowerCase() : text.slice(0, blank).toLowerCase() + text.slice(blank);
}

/** The text up to its first blank: the key under which a rule that names it stands. */
export function firstWordOf(text: string): string {
  const blank = text.indexOf(" ");
  return blank < 0 ? text : text.slice(0, blank);
}
