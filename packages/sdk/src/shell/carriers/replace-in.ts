import type { Decoded } from "../words/decoded.ts";

/** A word that holds the text which `xargs -I` or `find -exec` replaces is not known. */
export function replaceIn(word: Decoded, text: string): Decoded {
  if (text === "" || !(word.value ?? word.raw).includes(text)) return word;
  const pieces = (word.value ?? "").split(text);
  return {
    raw: word.raw,
    pieces: pieces.length > 1 ? pieces : ["", ""],
    glob: false,
    single: true,
    plain: false,
  };
}
