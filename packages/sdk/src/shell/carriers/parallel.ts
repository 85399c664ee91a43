import type { TouchedPath } from "../special/judgement.ts";
import { type Decoded, known, literal, unknown } from "../words/decoded.ts";
import type { Carrying } from "./carrying.ts";
import { guesses } from "./guesses.ts";
import { replaceIn } from "./replace-in.ts";

/** GNU `parallel`: a command of its own, or lines among its arguments. */
export function carriedByParallel(words: readonly Decoded[]): Carrying {
  const end = words.findIndex((word) => /^:::/.test(known(word) ?? ""));
  const own = end < 0 ? words : words.slice(0, end);
  const first = own.findIndex((word) => !(known(word) ?? "").startsWith("-"));
  const line = first < 0 ? undefined : own.slice(first).map((word) => known(word));
  const guessed = guesses(
    own.map((word) => replaceIn(word, "{}")),
    0,
    true,
  );
  const commands = guessed.commands.map((each) => ({
    ...each,
    words: [...each.words, unknown("{}")],
    fed: true as const,
  }));
  const text = line === undefined || line.some((each) => each === undefined) ? undefined : line.join(" ");
  // Without a command of its own, its arguments are the command lines.
  const given = end < 0 ? [] : words.slice(end + 1).map((word) => known(word));
  return {
    ...guessed,
    commands,
    lines:
      first < 0 ? (given.length === 0 ? [undefined] : given) : [/[{}]/.test(text ?? "{}") ? undefined : text],
    assigns: [],
    touches: filesOfParallel(words),
    sure: false,
  };
}

/** `-a file` and `:::: file` hold its arguments; it keeps its log and its results in files too. */
function filesOfParallel(words: readonly Decoded[]): readonly TouchedPath[] {
  const files = words.findIndex((word) => /^::::/.test(known(word) ?? ""));
  const listed = files < 0 ? [] : words.slice(files + 1);
  const touched: TouchedPath[] = listed.map((word) => ({ access: "read", word }));
  words.forEach((word, at) => {
    const [, name = "", value] = /^(-a|--[a-z-]+)(?:=(.*))?$/s.exec(known(word) ?? "") ?? [];
    const access = FILE_OPTIONS.get(name);
    const file = value === undefined ? words[at + 1] : literal(word.raw, value);
    if (access !== undefined && file !== undefined) touched.push({ access, word: file });
  });
  return touched;
}

const FILE_OPTIONS: ReadonlyMap<string, "read" | "write"> = new Map([
  ["-a", "read"],
  ["--arg-file", "read"],
  ["--joblog", "write"],
  ["--jl", "write"],
  ["--results", "write"],
  ["--res", "write"],
  ["--tmpdir", "write"],
]);
