import { type Decoded, known, unknown } from "../decoded.ts";
import type { Carrying } from "./carrying.ts";
import { guesses } from "./guesses.ts";
import { replaceIn } from "./replace-in.ts";

/** GNU `parallel`: a command of its own, or lines among its arguments. */
export function carriedByParallel(words: readonly Decoded[]): Carrying {
  const end = words.findIndex((word) => /^:::/.test(known(word) ?? ""));
  const own = end < 0 ? words : words.slice(0, end);
  const first = own.findIndex((word) => !(known(word) ?? "").startsWith("-"));
  const line = first < 0 ? undefined : own.slice(first).map((word) => known(word));
  const commands = guesses(
    own.map((word) => replaceIn(word, "{}")),
    0,
    true,
  ).map((each) => ({ ...each, words: [...each.words, unknown("{}")], fed: true as const }));
  const text = line === undefined || line.some((each) => each === undefined) ? undefined : line.join(" ");
  // Without a command of its own, its arguments are the command lines.
  const given = end < 0 ? [] : words.slice(end + 1).map((word) => known(word));
  return {
    commands,
    lines:
      first < 0 ? (given.length === 0 ? [undefined] : given) : [/[{}]/.test(text ?? "{}") ? undefined : text],
    assigns: [],
    reads: filesOfParallel(words),
    sure: false,
  };
}

/** `-a file` and `:::: file` hold its arguments. */
function filesOfParallel(words: readonly Decoded[]): readonly Decoded[] {
  const files = words.findIndex((word) => /^::::/.test(known(word) ?? ""));
  const named = words.filter((_, at) => /^(?:-a|--arg-file)$/.test(known(words[at - 1]) ?? ""));
  return files < 0 ? named : [...named, ...words.slice(files + 1)];
}
