import { XARGS_FLAGS, XARGS_LONG, XARGS_LONG_VALUED, XARGS_VALUED } from "../known/wrappers.ts";
import type { TouchedPath } from "../special/judgement.ts";
import { type Decoded, known, literal, unknown } from "../words/decoded.ts";
import { type Carrying, NO_CARRYING } from "./carrying.ts";
import { guesses } from "./guesses.ts";
import { replaceIn } from "./replace-in.ts";

/** `xargs` with its options and the command behind them. */
export function carriedByXargs(words: readonly Decoded[]): Carrying {
  let at = 0;
  let sure = true;
  let replaced: string | undefined;
  const touches: TouchedPath[] = [];
  let dynamic = false;
  for (; at < words.length; at += 1) {
    const text = known(words[at]);
    if (text === undefined) break;
    if (text === "--") {
      at += 1;
      break;
    }
    if (!text.startsWith("-") || text === "-") break;
    if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const name = equals < 0 ? text : text.slice(0, equals);
      if (name === "--replace") replaced = equals < 0 ? "{}" : text.slice(equals + 1);
      else if (name === "--arg-file") {
        if (equals < 0) at += 1;
        touches.push({
          access: "read",
          word: equals < 0 ? (words[at] ?? unknown("")) : literal(text, text.slice(equals + 1)),
        });
      } else if (XARGS_LONG_VALUED.has(name))
        at += equals < 0 && name !== "--eof" && name !== "--max-lines" ? 1 : 0;
      else if (!XARGS_LONG.has(name))
        return { ...guesses(words, at + 1, false), lines: [], assigns: [], touches, sure: false };
      continue;
    }
    for (let letter = 1; letter < text.length; letter += 1) {
      const c = text[letter] ?? "";
      if (XARGS_FLAGS.includes(c)) continue;
      if (!XARGS_VALUED.includes(c))
        return { ...guesses(words, at + 1, false), lines: [], assigns: [], touches, sure: false };
      const attached = text.slice(letter + 1);
      // `-e`, `-i` and `-l` take their value attached only.
      if (attached === "" && !"eil".includes(c) && words[at + 1]?.single === false) dynamic = true;
      const value = attached === "" && !"eil".includes(c) ? known(words[at + 1]) : attached;
      if (attached === "" && !"eil".includes(c)) at += 1;
      if (c === "I") {
        replaced = value ?? "";
        if (value === undefined) sure = false;
      }
      if (c === "a")
        touches.push({
          access: "read",
          word: attached === "" ? (words[at] ?? unknown("")) : literal(text, attached),
        });
      if (c === "i") replaced = attached === "" ? "{}" : attached;
      break;
    }
  }
  const rest = words.slice(at);
  if (rest.length === 0) return { ...NO_CARRYING, sure, touches };
  const given =
    replaced === undefined || replaced === ""
      ? [...rest, unknown("{}")]
      : rest.map((word) => replaceIn(word, replaced));
  return {
    commands: [{ words: given, transparent: sure && !dynamic, moved: false, fed: true }],
    lines: [],
    assigns: [],
    touches,
    sure: sure && !dynamic,
    ...(dynamic ? { dynamic: true as const } : {}),
  };
}
