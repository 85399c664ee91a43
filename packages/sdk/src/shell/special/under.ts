import { DIRECTORY_MARK, HOME_MARK } from "../characters.ts";
import { type Decoded, known, literal, startOf, unknown } from "../words/decoded.ts";
import type { TouchedPath } from "./judgement.ts";

/** A word that a program reads in a directory of its own (`git -C dir`, `tar -C dir`). */
export function under(place: Decoded | undefined, word: Decoded): Decoded {
  if (place === undefined) return word;
  const start = startOf(word);
  if (start.startsWith("/") || start.startsWith(HOME_MARK)) return word;
  const folder = known(place);
  if (folder === undefined || word.value === undefined || word.value.startsWith(DIRECTORY_MARK)) {
    return unknown(word.raw, word.single);
  }
  const path = `${word.glob ? escaped(folder) : folder}/${word.value}`;
  return word.glob
    ? { raw: word.raw, value: path, pieces: word.pieces, glob: true, single: word.single, plain: false }
    : literal(word.raw, path);
}

export function allUnder(place: Decoded | undefined, paths: readonly TouchedPath[]): readonly TouchedPath[] {
  if (place === undefined) return paths;
  return paths.map((path) => ({
    ...path,
    // Which repository that is, is not known from here.
    word: path.base === undefined ? under(place, path.word) : unknown(path.word.raw, path.word.single),
  }));
}

function escaped(folder: string): string {
  return folder.replace(/[\\*?[\]]/g, "\\$&");
}
