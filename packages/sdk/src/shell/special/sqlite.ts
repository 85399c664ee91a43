import { type Decoded, known, unknown } from "../words/decoded.ts";
import { type Judgement, judgementOf, type TouchedPath } from "./judgement.ts";

const SHELL = /^[ \t]*\.(?:shell|system)[ \t]+(.+)$/gm;
const FILES =
  /(?:^|\s)\.(?:read|import|output|once|open|save|backup|restore|clone|dump|log|load|excel|cd|archive|ar)\b|readfile|writefile|load_extension|\battach\b|vacuum\s+into|fsdir|zipfile|\bedit\s*\(/i;
const VALUED =
  /^-{1,2}(?:cmd|separator|newline|nullvalue|mmap|maxsize|lookaside|pagecache|vfs|heap|key|hexkey|textkey)$/;

/** `sqlite3`: its database, and what its commands may reach. */
export function judgeSqlite(words: readonly Decoded[]): Judgement {
  const paths: TouchedPath[] = [];
  const lines: (string | undefined)[] = [];
  const programs: Decoded[] = [];
  let hasDatabase = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    const text = known(word);
    if (word === undefined) break;
    if (text?.startsWith("-") === true) {
      const value = words[at + 1];
      const name = text.replace(/^--/, "-");
      if (name === "-init" || name === "-deserialize") {
        at += 1;
        if (value !== undefined) paths.push({ access: "read", word: value });
        if (name === "-init") programs.push(unknown(text));
      } else if (VALUED.test(text)) {
        at += 1;
        if (value !== undefined && name === "-cmd") programs.push(value);
      }
      continue;
    }
    if (hasDatabase) programs.push(word);
    else if (text !== ":memory:")
      paths.push({ access: "write", word: text?.startsWith("file:") === true ? unknown(word.raw) : word });
    hasDatabase = true;
  }
  for (const program of programs) {
    const text = known(program);
    if (text !== undefined) for (const found of text.matchAll(SHELL)) lines.push(found[1]);
    if (text === undefined || FILES.test(text))
      for (const access of ["read", "write"] as const) paths.push({ access, word: unknown(program.raw) });
  }
  return judgementOf({ paths, lines });
}
