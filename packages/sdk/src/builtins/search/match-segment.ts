/** A piece of a pattern for one name: a character, any character, any run of them, or one of a set. */
type Piece =
  | { readonly kind: "character"; readonly character: string }
  | { readonly kind: "any" | "run" }
  | { readonly kind: "set"; has(character: string): boolean };

/** A compiled pattern for one name between slashes. */
export interface Segment {
  readonly pieces: readonly Piece[];
  /** Begins with a literal dot, so that it may match a hidden name. */
  readonly isHidden: boolean;
}

export function compileSegment(text: string): Segment {
  const characters = Array.from(text);
  const pieces: Piece[] = [];
  for (let i = 0; i < characters.length; ) {
    const character = characters[i] ?? "";
    const set = character === "[" ? readSet(characters, i) : undefined;
    if (set !== undefined) {
      pieces.push(set.piece);
      i = set.next;
      continue;
    }
    if (character === "*") {
      if (pieces.at(-1)?.kind !== "run") pieces.push({ kind: "run" });
    } else if (character === "?") pieces.push({ kind: "any" });
    else if (character === "\\" && i + 1 < characters.length) {
      i += 1;
      pieces.push({ kind: "character", character: characters[i] ?? "" });
    } else pieces.push({ kind: "character", character });
    i += 1;
  }
  const [first] = pieces;
  return { pieces, isHidden: first?.kind === "character" && first.character === "." };
}

/** Goes back to the last run only, so its time is bounded by pattern times name. */
export function matchSegment({ pieces }: Segment, name: string): boolean {
  const characters = Array.from(name);
  let piece = 0;
  let at = 0;
  let run = -1;
  let runEnd = 0;
  while (at < characters.length) {
    const current = pieces[piece];
    if (current?.kind === "run") {
      run = piece++;
      runEnd = at;
    } else if (current !== undefined && matches(current, characters[at] ?? "")) {
      piece += 1;
      at += 1;
    } else if (run !== -1) {
      piece = run + 1;
      at = ++runEnd;
    } else return false;
  }
  while (pieces[piece]?.kind === "run") piece += 1;
  return piece === pieces.length;
}

function matches(piece: Piece, character: string): boolean {
  if (piece.kind === "character") return piece.character === character;
  return piece.kind === "set" ? piece.has(character) : piece.kind === "any";
}

const NAMED: Readonly<Record<string, RegExp>> = {
  alpha: /\p{L}/u,
  digit: /\p{Nd}/u,
  alnum: /[\p{L}\p{Nd}]/u,
  upper: /\p{Lu}/u,
  lower: /\p{Ll}/u,
  space: /\s/u,
  punct: /[!-/:-@[-`{-~]/,
};

interface SetPiece {
  readonly piece: Piece;
  readonly next: number;
}

/** `[abc]`, `[a-z]`, `[!a]`, `[^a]`, `[[:upper:]]`. Undefined when it is not closed: a plain bracket then. */
function readSet(characters: readonly string[], start: number): SetPiece | undefined {
  let i = start + 1;
  const isNegated = characters[i] === "!" || characters[i] === "^";
  if (isNegated) i += 1;
  const tests: ((character: string) => boolean)[] = [];
  for (let first = true; i < characters.length; first = false) {
    if (characters[i] === "]" && !first) {
      const has = (character: string): boolean => tests.some((test) => test(character)) !== isNegated;
      return { piece: { kind: "set", has }, next: i + 1 };
    }
    const named = /^\[:([a-z]+):\]/.exec(characters.slice(i, i + 12).join(""));
    const kind = named?.[1];
    if (named !== null && kind !== undefined && Object.hasOwn(NAMED, kind)) {
      const pattern = NAMED[kind];
      tests.push((character) => pattern?.test(character) === true);
      i += named[0].length;
      continue;
    }
    if (characters[i] === "\\" && i + 1 < characters.length) i += 1;
    const low = characters[i] ?? "";
    const isRange = characters[i + 1] === "-" && i + 2 < characters.length && characters[i + 2] !== "]";
    const high = isRange ? (characters[i + 2] ?? "") : low;
    tests.push((character) => codeOf(character) >= codeOf(low) && codeOf(character) <= codeOf(high));
    i += isRange ? 3 : 1;
  }
  return undefined;
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;
