import { type Decoded, known } from "../decoded.ts";
import type { Carried } from "./carrying.ts";

const MAX_GUESSES = 6;

/** After an option that is not in the table, the command may start at any of the next words. */
export function guesses(words: readonly Decoded[], from: number, moved: boolean): readonly Carried[] {
  const found: Carried[] = [];
  for (let at = from; at < words.length && found.length < MAX_GUESSES; at += 1) {
    if ((known(words[at]) ?? "").startsWith("-")) continue;
    found.push({ words: words.slice(at), transparent: false, moved });
  }
  return found;
}
