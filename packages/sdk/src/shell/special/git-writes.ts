import { type Decoded, known, literal, unknown } from "../decoded.ts";
import type { TouchedPath } from "./judgement.ts";

/** Keys that `git config` may set without making git run or load anything. */
const HARMLESS_KEY = /^(?:user\.|color\.|advice\.|init\.defaultbranch$|push\.default$|pull\.)/i;
const CONFIG_READS =
  /^(?:--get(?:-all|-regexp|-urlmatch|-color|-colorbool)?|-l|--list|get|list|--show-origin|--show-scope|--name-only)$/;
const CONFIG_VALUED = new Set([
  "-f",
  "--file",
  "--blob",
  "--type",
  "--default",
  "--value",
  "--url",
  "--comment",
]);

/** Files that git sub-commands outside the read-only table write or remove, as far as the words say it. */
export function gitWrites(sub: string, words: readonly Decoded[]): readonly TouchedPath[] {
  switch (sub) {
    case "rm":
      return operands(words).map((word) => ({ access: "remove", word, recursive: true }));
    case "mv":
      return operands(words).flatMap((word): TouchedPath[] => [
        { access: "remove", word },
        { access: "write", word },
      ]);
    case "clean": {
      if (words.some((word) => /^(?:-[a-zA-Z]*n|--dry-run)/.test(known(word) ?? ""))) return [];
      const named = operands(words);
      return (named.length === 0 ? [literal(".")] : named).map((word) => ({
        access: "remove",
        word,
        recursive: true,
      }));
    }
    case "restore":
      return operands(words).map((word) => ({ access: "write", word, recursive: true }));
    case "checkout": {
      const end = words.findIndex((word) => known(word) === "--");
      return end < 0 ? [] : words.slice(end + 1).map((word) => ({ access: "write", word, recursive: true }));
    }
    case "config":
      return configWrites(words);
    case "clone":
    case "worktree":
      return placeWrites(sub, words);
    case "submodule":
      return /^(?:add|init|deinit|set-\w+|sync|absorbgitdirs)$/.test(known(operands(words)[0]) ?? "add")
        ? [{ access: "write", word: literal(".gitmodules") }]
        : [];
    default:
      return [];
  }
}

/** The directory that `clone url dir` and `worktree add dir` fill. */
function placeWrites(sub: string, words: readonly Decoded[]): readonly TouchedPath[] {
  const own = operands(words);
  if (sub === "worktree" && !/^(?:add|move)$/.test(known(own[0]) ?? "add")) return [];
  // Which operand is the directory depends on options' values, so each may be.
  return own.slice(1).map((word) => ({ access: "write", word, recursive: true }));
}

function operands(words: readonly Decoded[]): readonly Decoded[] {
  let ended = false;
  return words.filter((word) => {
    if (ended) return true;
    if (known(word) === "--") {
      ended = true;
      return false;
    }
    return !(word.pieces[0] ?? "").startsWith("-");
  });
}

/** `-f file` shows that file. */
function configReads(words: readonly Decoded[]): readonly TouchedPath[] {
  return words.flatMap((word, at): readonly TouchedPath[] => {
    const text = known(word) ?? "";
    const file = /^(?:-f|--file)$/.test(text) ? words[at + 1] : undefined;
    if (file !== undefined) return [{ access: "read", word: file }];
    return /^(?:--file=|-f.)/.test(text)
      ? [{ access: "read", word: literal(word.raw, text.replace(/^(?:--file=|-f)/, "")) }]
      : [];
  });
}

function configWrites(words: readonly Decoded[]): readonly TouchedPath[] {
  const texts = words.map((word) => known(word));
  if (texts.some((text) => text !== undefined && CONFIG_READS.test(text))) return configReads(words);
  let file: Decoded = literal(".git/config");
  const rest: (string | undefined)[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const text = texts[at];
    if (text === "--global") file = literal("~/.gitconfig", "\uFDD0/.gitconfig");
    else if (text === "--system") file = literal("/etc/gitconfig");
    else if (text !== undefined && /^--file=/.test(text)) file = literal(text, text.slice(7));
    else if (text !== undefined && CONFIG_VALUED.has(text)) {
      at += 1;
      if (text === "-f" || text === "--file") file = words[at] ?? unknown(text);
    } else if (text === undefined || !text.startsWith("-")) rest.push(text);
  }
  const edits = texts.some(
    (text) =>
      text !== undefined &&
      /^(?:--unset(?:-all)?|--add|--replace-all|-e|--edit|--rename-section|--remove-section|set|unset|edit)$/.test(
        text,
      ),
  );
  const key = rest[0] === "set" || rest[0] === "unset" ? rest[1] : rest[0];
  // One operand only shows the value.
  if (!edits && rest.length === 1 && key !== undefined) return [];
  if (key !== undefined && HARMLESS_KEY.test(key)) return [];
  return [{ access: "write", word: file }];
}
