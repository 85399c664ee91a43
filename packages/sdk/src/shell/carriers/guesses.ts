import { MAX_GUESSES } from "../limits.ts";
import { type Decoded, known } from "../words/decoded.ts";
import type { Carrying } from "./carrying.ts";

/**
 * After an option that is not in the table, the command may start at any of the next words. Where there are more of
 * them than are tried, it is not known which command runs.
 */
export function guesses(
  words: readonly Decoded[],
  from: number,
  moved: boolean,
): Pick<Carrying, "commands" | "dynamic"> {
  const starts: number[] = [];
  for (let at = from; at < words.length; at += 1) {
    if (!(known(words[at]) ?? "").startsWith("-")) starts.push(at);
  }
  const commands = starts
    .slice(0, MAX_GUESSES)
    .map((at) => ({ words: words.slice(at), transparent: false, moved }));
  return starts.length > MAX_GUESSES ? { commands, dynamic: true } : { commands };
}
