import { type Decoded, known, literal, unknown } from "../words/decoded.ts";
import { type Judgement, judgementOf, type TouchedPath } from "./judgement.ts";
import { tarRuns } from "./tar-runs.ts";
import { under } from "./under.ts";

const LONG_PATHS: readonly string[] = [
  "--file",
  "--directory",
  "--files-from",
  "--exclude-from",
  "--one-top-level",
  "--listed-incremental",
  "--index-file",
  "--volno-file",
  "--add-file",
];
/** Short options that take a value which is no path. */
const OTHER_VALUES = "bHIFKLNVX";

/** `tar`: reads what it packs, writes its archive, and unpacks anything anywhere below where it stands. */
export function judgeTar(words: readonly Decoded[]): Judgement {
  const paths: TouchedPath[] = [];
  const all = words.map((word) => known(word) ?? "");
  const bundle = all[0] !== undefined && /^[a-zA-Z]+$/.test(all[0]) ? all[0] : "";
  const flags = bundle + all.filter((text) => /^-[a-zA-Z]/.test(text)).join("");
  const creates = /[cru]/.test(flags) || all.some((text) => /^--(?:cr|app|upd|cat|conc)/.test(text));
  const extracts = /x/.test(flags) || all.some((text) => /^--(?:ext|get)/.test(text));
  let place: Decoded | undefined;
  const take = (option: string, value: Decoded | undefined): void => {
    if (value === undefined) return;
    switch (option) {
      case "-C":
      case "--directory":
        place = under(place, value);
        paths.push({ access: extracts ? "write" : "walk", word: place, recursive: true });
        return;
      case "-f":
      case "--file":
        if (known(value) !== "-") paths.push({ access: creates ? "write" : "read", word: value });
        return;
      case "-T":
      case "--files-from":
        // What it packs stands in that file.
        if (known(value) !== "-") paths.push({ access: "read", word: value });
        if (creates) paths.push({ access: "walk", word: unknown(value.raw), recursive: true });
        return;
      case "--one-top-level":
      case "--index-file":
      case "--volno-file":
      case "-g":
      case "--listed-incremental":
        paths.push({ access: "write", word: value, recursive: true });
        return;
      case "--add-file":
        paths.push({ access: "walk", word: under(place, value), recursive: true });
        return;
      case "-X":
      case "--exclude-from":
        paths.push({ access: "read", word: value });
        return;
      default:
    }
  };
  // Values of a bundle follow it, in the order of its letters.
  const pending = [...bundle].filter((letter) => `CfTgX${OTHER_VALUES}`.includes(letter));
  for (let at = bundle === "" ? 0 : 1; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const text = known(word);
    const letter = pending.shift();
    if (letter !== undefined) {
      take(`-${letter}`, word);
      continue;
    }
    if (text?.startsWith("--") === true && text.length > 2) {
      const equals = text.indexOf("=");
      const given = equals < 0 ? text : text.slice(0, equals);
      // Not short for `--listed-incremental`.
      if (given === "--list") continue;
      const name =
        LONG_PATHS.find((each) => each === given) ?? LONG_PATHS.find((each) => each.startsWith(given));
      if (name === undefined) continue;
      if (equals >= 0) take(name, literal(word.raw, text.slice(equals + 1)));
      else if (name !== "--one-top-level") {
        at += 1;
        take(name, words[at]);
      }
      continue;
    }
    if (text?.startsWith("-") === true && text.length > 1) {
      for (let index = 1; index < text.length; index += 1) {
        const c = text[index] ?? "";
        if (!`CfTgX${OTHER_VALUES}`.includes(c)) continue;
        const attached = text.slice(index + 1);
        if (attached === "") at += 1;
        take(`-${c}`, attached === "" ? words[at] : literal(word.raw, attached));
        break;
      }
      continue;
    }
    if (creates) paths.push({ access: "walk", word: under(place, word), recursive: true });
    else if (text === undefined) paths.push({ access: "read", word });
  }
  if (extracts) paths.push({ access: "write", word: unknown("."), recursive: true });
  return judgementOf({ paths, links: extracts ? "anywhere" : undefined, lines: tarRuns(words) });
}
