import { judgeProgram } from "./judge-program.ts";
import { BARE_PROGRAMS, EXACT_ARGUMENTS } from "./known/exact-arguments.ts";
import { PROGRAMS } from "./known/index.ts";
import type { SubCommandEntry } from "./known/sub-commands/entry.ts";
import { SUB_COMMANDS } from "./known/sub-commands/index.ts";
import { judgeDd } from "./special/dd.ts";
import { judgeFind } from "./special/find.ts";
import { judgeGit } from "./special/git.ts";
import { type Judgement, judgementOf, NOTHING_KNOWN, type TouchedPath } from "./special/judgement.ts";
import { judgeNetwork } from "./special/network.ts";
import { judgeSed } from "./special/sed.ts";
import { judgeSocat } from "./special/socat.ts";
import { judgeSqlite } from "./special/sqlite.ts";
import { judgeSubCommands } from "./special/sub-commands.ts";
import { judgeTar } from "./special/tar.ts";
import { judgeTest } from "./special/test-words.ts";
import { type Decoded, known, literal } from "./words/decoded.ts";

type Judge = (words: readonly Decoded[]) => Judgement;

const READ_ONLY: Judgement = judgementOf({ readOnly: true });

const SPECIAL: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ["sed", judgeSed],
  ["gsed", judgeSed],
  ["find", judgeFind],
  ["gfind", judgeFind],
  ["git", judgeGit],
  ["test", (words) => judgeTest(words, false)],
  ["[", (words) => judgeTest(words, true)],
  ["curl", (words) => judgeNetwork("curl", words)],
  ["wget", (words) => judgeNetwork("wget", words)],
  ["tar", judgeTar],
  ["bsdtar", judgeTar],
  ["dd", judgeDd],
  ["socat", judgeSocat],
  ["sqlite3", judgeSqlite],
  ["crontab", judgeCrontab],
]);

/** Whatever `crontab` does but listing changes what runs later. */
function judgeCrontab(words: readonly Decoded[]): Judgement {
  if (words.some((word) => known(word) === "-l")) return NOTHING_KNOWN;
  const reads = words.map((word): TouchedPath => ({ access: "read", word }));
  return judgementOf({ paths: [...reads, { access: "write", word: literal("/var/spool/cron/crontabs") }] });
}

/** What the smaller tables hold under one name: most commands are in none of them, which is told by one look. */
interface Known {
  readonly exact: ReadonlySet<string> | undefined;
  readonly special: Judge | undefined;
  readonly subCommands: SubCommandEntry | undefined;
}

const KNOWN: ReadonlyMap<string, Known> = new Map(
  [EXACT_ARGUMENTS, SPECIAL, SUB_COMMANDS]
    .flatMap((table) => [...table.keys()])
    .map((name): [string, Known] => [
      name,
      {
        exact: EXACT_ARGUMENTS.get(name),
        special: SPECIAL.get(name),
        subCommands: SUB_COMMANDS.get(name),
      },
    ]),
);

/**
 * What the tables say about a program and its arguments. `name` is the bare lower-case name; whether the
 * program was called by a path, which is another program for allow, is the caller's to look at.
 */
export function judge(name: string, words: readonly Decoded[]): Judgement {
  const found = KNOWN.get(name);
  if (found !== undefined) {
    const { exact, special, subCommands } = found;
    if (exact?.has(words.length === 1 ? (known(words[0]) ?? "") : "") === true) return READ_ONLY;
    if (special !== undefined) return special(words);
    // It calls a tool, which is judged as one.
    if (name === "cmake" && known(words[0]) === "-E") return NOTHING_KNOWN;
    if (subCommands !== undefined) return judgeSubCommands(name, subCommands, words);
  }
  const program = PROGRAMS.get(name);
  if (program !== undefined) return judgeProgram(name, program, words);
  return words.length === 0 && BARE_PROGRAMS.has(name) ? READ_ONLY : NOTHING_KNOWN;
}
