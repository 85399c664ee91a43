import { type Decoded, known, literal, startOf } from "../words/decoded.ts";
import { configPaths } from "./git-config.ts";
import type { TouchedPath } from "./judgement.ts";

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
    case "clean":
      return cleaned(words).map((word) => ({ access: "remove", word, recursive: true }));
    case "restore":
      return operands(words).map((word) => ({ access: "write", word, recursive: true }));
    case "checkout": {
      const end = words.findIndex((word) => known(word) === "--");
      return end < 0 ? [] : words.slice(end + 1).map((word) => ({ access: "write", word, recursive: true }));
    }
    case "config":
      return configPaths(words);
    case "bundle":
      return known(operands(words)[0]) === "create"
        ? operands(words)
            .slice(1, 2)
            .map((word) => ({ access: "write", word }))
        : [];
    case "init":
      return operands(words).map((word) => ({ access: "write", word, recursive: true }));
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

/** What `git clean` goes through: nothing with `-n`, which neither follows `--` nor is the value of `-e`. */
function cleaned(words: readonly Decoded[]): readonly Decoded[] {
  const named: Decoded[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    const text = known(word);
    if (text === "--") {
      named.push(...words.slice(at + 1));
      break;
    }
    if (text === "--dry-run") return [];
    if (text === "--exclude") at += 1;
    if (text === undefined || !text.startsWith("-")) {
      if (word !== undefined) named.push(word);
    } else if (!text.startsWith("--")) {
      const valued = text.indexOf("e");
      if ((valued < 0 ? text : text.slice(0, valued)).includes("n")) return [];
      if (valued === text.length - 1) at += 1;
    }
  }
  return named.length === 0 ? [literal(".")] : named;
}

function operands(words: readonly Decoded[]): readonly Decoded[] {
  let ended = false;
  return words.filter((word) => {
    if (ended) return true;
    if (known(word) === "--") {
      ended = true;
      return false;
    }
    return !startOf(word).startsWith("-");
  });
}
