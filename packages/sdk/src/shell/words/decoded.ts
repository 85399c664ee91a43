/** One word as a program would get it. */
export interface Decoded {
  /** As written, backslash-newlines removed. */
  readonly raw: string;
  /** The exact value, with marks for home and working directory; with `glob`, the pattern text. Absent: unknown. */
  readonly value?: string;
  /** Literal text in order; between two pieces anything may stand. Absent: the value is known, and all there is. */
  readonly pieces?: readonly string[] | undefined;
  /** Holds an unquoted pattern character, so it may become several words. */
  readonly glob: boolean;
  /** Is exactly one word, whatever its value. */
  readonly single: boolean;
  /** Stands as it was written, in letters, digits and marks that mean nothing: no quote, pattern, tilde or mark of ours. */
  readonly plain: boolean;
}

/** The words that one written word may become. */
export type Alternative = readonly Decoded[];

/** A written word with every sequence of words that it may become: most are one word in one way, and stand as that. */
export type WordItem = Decoded | Ways;

export interface Ways {
  readonly raw?: never;
  /** The words as a rule sees them: as written, with brace lists expanded. */
  readonly written: readonly string[];
  /** At least one. An unknown value is one of them with `value` absent. */
  readonly alternatives: readonly Alternative[];
}

export function literal(raw: string, value: string = raw): Decoded {
  return { raw, value, pieces: undefined, glob: false, single: true, plain: false };
}

/** A word of `/[A-Za-z0-9_./:=@%+,-]+/`. */
export function plainWord(text: string): Decoded {
  return { raw: text, value: text, pieces: undefined, glob: false, single: true, plain: true };
}

export function unknown(raw: string, single = false): Decoded {
  return { raw, pieces: ["", ""], glob: false, single, plain: false };
}

/** The only word that the item may become. */
export function onlyWord(item: WordItem | undefined): Decoded | undefined {
  if (item === undefined || item.raw !== undefined) return item;
  const { alternatives } = item;
  return alternatives.length === 1 && alternatives[0]?.length === 1 ? alternatives[0][0] : undefined;
}

export function writtenOf(item: WordItem): readonly string[] {
  return item.raw === undefined ? item.written : [item.raw];
}

export function alternativesOf(item: WordItem): readonly Alternative[] {
  return item.raw === undefined ? item.alternatives : [[item]];
}

/** The literal text that the word begins with; "" where that is not known. */
export function startOf({ pieces, value }: Decoded): string {
  return (pieces === undefined ? value : pieces[0]) ?? "";
}

/** The value when the word is one known literal without a pattern, else undefined. */
export function known(word: Decoded | undefined): string | undefined {
  return word === undefined || word.glob ? undefined : word.value;
}
