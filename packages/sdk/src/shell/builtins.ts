import { isOpaqueName } from "./variables.ts";
import type { Walk } from "./walk-types.ts";
import { isInteger, isPlainArithmetic } from "./words/arithmetic.ts";
import { type Decoded, known, startOf } from "./words/decoded.ts";

const NAMING: ReadonlySet<string> = new Set([
  "read",
  "mapfile",
  "readarray",
  "unset",
  "getopts",
  "wait",
  "declare",
  "typeset",
  "local",
  "export",
  "readonly",
]);

const LOADING: ReadonlySet<string> = new Set([
  "alias",
  "hash",
  "enable",
  "bind",
  "complete",
  "compgen",
  "let",
  "printf",
]);

/** The built-ins that `checkBuiltin` has something to say about. */
export const CHECKED_BUILTINS: readonly string[] = [...NAMING, ...LOADING];

/** Notes what shell built-ins can run or set without showing it. */
export function checkBuiltin(name: string, words: readonly Decoded[], text: string, walk: Walk): void {
  if (!NAMING.has(name) && !LOADING.has(name)) return;
  const values = words.map((word) => known(word));
  const has = (letter: string): boolean =>
    values.some((value) => value === undefined || flagHas(value, letter));
  const literally = (letter: string): boolean =>
    values.some((value) => value !== undefined && flagHas(value, letter));
  switch (name) {
    case "alias":
      // Which name it gives another meaning is not known.
      if (words.some((word) => known(word) === undefined && !startOf(word).includes("=")))
        walk.block("loader", text);
      return;
    case "hash":
      if (has("p")) walk.block("loader", text);
      return;
    case "enable":
      if (has("f")) walk.block("loader", text);
      return;
    case "bind":
      if (has("x") || has("f")) walk.block("loader", text);
      return;
    case "complete":
    case "compgen":
      if (has("C") || has("F") || has("W")) walk.block("loader", text);
      return;
    case "let":
      for (const value of values)
        if (value === undefined || !isPlainArithmetic(value, walk.facts)) walk.block("arithmetic", text);
      return;
    case "printf": {
      const at = values.findIndex((value) => value?.startsWith("-v") === true);
      if (at === 0 || (at > 0 && at < 2))
        checkName(values[at] === "-v" ? values[at + 1] : values[at]?.slice(2), text, walk);
      else if (words[0] !== undefined && values[0] === undefined && startOf(words[0]) === "") {
        // The format is not known; it may be `-v` only where it can be several words, or a flag by itself.
        if (!words[0].single) walk.block("arithmetic", text);
      }
      return;
    }
    default:
  }
  if ((name === "mapfile" || name === "readarray") && has("C")) walk.block("loader", text);
  if (/^(?:declare|typeset|local)$/.test(name) && (literally("i") || literally("n")))
    walk.block("arithmetic", text);
  if (!NAMING.has(name)) return;
  words.forEach((word, index) => {
    const value = values[index];
    // `read -aNAME`
    const attached = name === "read" ? /^-\w*?a(.+)$/s.exec(value ?? "") : null;
    if (attached !== null) checkName(attached[1], text, walk);
    if (value?.startsWith("-") === true || value?.startsWith("+") === true) return;
    if (isOptionValue(name, values[index - 1])) return;
    const naming = value === undefined ? startOf(word) : value;
    checkName(
      naming === undefined ? undefined : /^[^=]*/.exec(naming)?.[0],
      text,
      walk,
      value === undefined && !(naming ?? "").includes("="),
    );
  });
}

/** `read -p prompt`: the word after these is no name. */
function isOptionValue(name: string, before: string | undefined): boolean {
  if (before === undefined || !before.startsWith("-")) return false;
  if (name === "read") return /[pdntNui]$/.test(before);
  if (name === "mapfile" || name === "readarray") return /[dnOsucC]$/.test(before);
  return false;
}

function flagHas(value: string, letter: string): boolean {
  return /^[-+]\w/.test(value) && !value.startsWith("--") && value.includes(letter);
}

/** A name that can hide a command in its subscript, or that changes what runs. */
export function checkName(name: string | undefined, text: string, walk: Walk, partly = false): void {
  if (name === undefined || partly) {
    walk.block("arithmetic", text);
    return;
  }
  const bare = name.replace(/\+$/, "");
  const bracket = bare.indexOf("[");
  if (bracket >= 0 && !isInteger(bare.slice(bracket + 1, -1)) && !/^\[[@*]\]$/.test(bare.slice(bracket)))
    walk.block("arithmetic", text);
  const plain = bracket < 0 ? bare : bare.slice(0, bracket);
  if (isOpaqueName(plain)) walk.block("assignment", text);
}
