import { type Decoded, known, literal, unknown } from "../words/decoded.ts";
import { type Carrying, NO_CARRYING } from "./carrying.ts";
import { replaceIn } from "./replace-in.ts";

const VALUED = "tedEScjo";
const PLACEHOLDERS = ["{}", "{/}", "{//}", "{.}", "{/.}"];

/** `fd -x command`: up to a `;`, or to the end. */
export function launchedByFd(words: readonly Decoded[]): readonly Carrying[] {
  const found: Carrying[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const text = known(words[at]);
    if (text === "--") break;
    const attached = text === undefined ? undefined : execOption(text);
    if (attached === undefined) continue;
    const end = words.findIndex((word, index) => index > at && known(word) === ";");
    const own = words.slice(at + 1, end < 0 ? words.length : end);
    if (attached !== "") own.unshift(literal(words[at]?.raw ?? attached, attached));
    const filled = own.map((word) => PLACEHOLDERS.reduce(replaceIn, word));
    if (filled.every((word, index) => word === own[index])) filled.push(unknown("{}"));
    found.push({
      ...NO_CARRYING,
      sure: false,
      commands: own.length === 0 ? [] : [{ words: filled, transparent: false, moved: false, fed: true }],
    });
    if (end < 0) break;
    at = end;
  }
  return found;
}

/** What is attached to `-x`, `-X` or `--exec`; undefined where it is none of them. */
function execOption(text: string): string | undefined {
  const long = /^--exec(?:-batch)?(?:=(.*))?$/s.exec(text);
  if (long !== null) return long[1] ?? "";
  if (!text.startsWith("-") || text.startsWith("--")) return undefined;
  for (let letter = 1; letter < text.length; letter += 1) {
    const c = text[letter] ?? "";
    if (c === "x" || c === "X") return text.slice(letter + 1).replace(/^=/, "");
    if (VALUED.includes(c)) return undefined;
  }
  return undefined;
}
