import { type Decoded, known, literal, unknown } from "../words/decoded.ts";
import type { TouchedPath } from "./judgement.ts";

/** Keys that `git config` may set without making git run or load anything. */
const HARMLESS_KEY = /^(?:user\.|color\.|advice\.|init\.defaultbranch$|push\.default$|pull\.)/i;
const READS: ReadonlySet<string> = new Set(
  "-l --list --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool list get".split(" "),
);
/** These change one key; a harmless one may be changed. */
const SETS: ReadonlySet<string> = new Set("--add --replace-all --unset --unset-all set unset".split(" "));
/** These change whatever stands in a section or a file. */
const REWRITES: ReadonlySet<string> = new Set(
  "-e --edit --rename-section --remove-section edit rename-section remove-section".split(" "),
);
const OTHERS: ReadonlySet<string> = new Set(
  "--global --system --local --worktree --null --name-only --show-origin --show-scope --show-names --no-show-names --includes --no-includes --bool --int --bool-or-int --bool-or-str --path --expiry-date --fixed-value --all --regexp --append".split(
    " ",
  ),
);
const VALUED: ReadonlySet<string> = new Set(
  "--file --blob --type --default --comment --value --url".split(" "),
);

interface GivenConfig {
  /** Names of options, and the sub-command where the first operand is one. */
  readonly actions: ReadonlySet<string>;
  /** The file that is named; unknown where an option is not understood. */
  readonly file: Decoded | undefined;
  readonly operands: readonly Decoded[];
}

/** What `git config` reads and writes. Only its options, or its first operand, say which of both it does. */
export function configPaths(words: readonly Decoded[]): readonly TouchedPath[] {
  const { actions, file, operands } = readConfig(words);
  const has = (names: ReadonlySet<string>): boolean => [...actions].some((name) => names.has(name));
  const key = known(operands[0]);
  // One operand alone shows the value.
  const shows = operands.length === 1 && operands[0]?.single === true;
  if (!has(SETS) && !has(REWRITES) && (has(READS) || shows)) {
    return file === undefined ? [] : [{ access: "read", word: file }];
  }
  if (file !== undefined) return [{ access: "write", word: file }];
  if (!has(REWRITES) && key !== undefined && HARMLESS_KEY.test(key)) return [];
  const own = actions.has("--global")
    ? literal("~/.gitconfig", "\uFDD0/.gitconfig")
    : actions.has("--system")
      ? literal("/etc/gitconfig")
      : literal(".git/config");
  return [{ access: "write", word: own }];
}

/** Options stand before the first operand, and behind a sub-command as well. */
function readConfig(words: readonly Decoded[]): GivenConfig {
  const actions = new Set<string>();
  let file: Decoded | undefined;
  let at = 0;
  const readOptions = (): void => {
    for (; at < words.length; at += 1) {
      const text = known(words[at]);
      if (text === "--") {
        at += 1;
        return;
      }
      if (text === undefined || !/^-./.test(text)) return;
      if (text.startsWith("--")) {
        const equals = text.indexOf("=");
        const name = equals < 0 ? text : text.slice(0, equals);
        actions.add(name);
        if (!isListed(name)) file = unknown(text);
        if (!VALUED.has(name)) continue;
        if (equals < 0) at += 1;
        const value = equals < 0 ? (words[at] ?? unknown(text)) : literal(text, text.slice(equals + 1));
        if (name === "--file") file = value;
        continue;
      }
      for (let letter = 1; letter < text.length; letter += 1) {
        const name = `-${text[letter]}`;
        actions.add(name);
        if (name !== "-f") {
          if (!/^-[lez]$/.test(name)) file = unknown(text);
          continue;
        }
        const attached = text.slice(letter + 1);
        if (attached === "") at += 1;
        file = attached === "" ? (words[at] ?? unknown(text)) : literal(text, attached);
        break;
      }
    }
  };
  readOptions();
  const sub = known(words[at]) ?? "";
  if (!sub.startsWith("-") && (READS.has(sub) || SETS.has(sub) || REWRITES.has(sub))) {
    actions.add(sub);
    at += 1;
    readOptions();
  }
  return { actions, file, operands: words.slice(at) };
}

function isListed(name: string): boolean {
  return READS.has(name) || SETS.has(name) || REWRITES.has(name) || OTHERS.has(name) || VALUED.has(name);
}
