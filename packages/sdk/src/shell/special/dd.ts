import { type Decoded, known, literal, startOf, unknown } from "../words/decoded.ts";
import { type Judgement, judgementOf, type TouchedPath } from "./judgement.ts";

/** `dd if=a of=b`. */
export function judgeDd(words: readonly Decoded[]): Judgement {
  const paths: TouchedPath[] = [];
  for (const word of words) {
    const start = startOf(word);
    const text = known(word);
    const access = start.startsWith("if=")
      ? "read"
      : start.startsWith("of=") || start === ""
        ? "write"
        : undefined;
    if (access === undefined) continue;
    paths.push({ access, word: text === undefined ? unknown(word.raw) : literal(word.raw, text.slice(3)) });
  }
  return judgementOf({ paths });
}
