import {
  GIT_COMMANDS,
  GIT_ELSEWHERE,
  GIT_HARMLESS_KEYS,
  GIT_PAIRS,
  GIT_TREE_WRITERS,
  type GitEntry,
} from "../known/git.ts";
import { type Decoded, known, literal, startOf, unknown } from "../words/decoded.ts";
import { gitRuns } from "./git-runs.ts";
import { gitWrites } from "./git-writes.ts";
import { type Judgement, judgementOf, type TouchedPath } from "./judgement.ts";
import { pathspec } from "./pathspec.ts";
import { allUnder, under } from "./under.ts";

/** Sub-commands outside the read-only table whose operands are files all the same. */
const PATH_COMMANDS = new Set(
  "add am annotate apply archive whatchanged difftool hash-object diff-files diff-index diff-tree check-attr commit mailinfo stage bundle".split(
    " ",
  ),
);

const MOVED_OPTIONS = new Set([
  "-C",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--attr-source",
]);

/** `git` with its global options, by sub-command. */
export function judgeGit(words: readonly Decoded[]): Judgement {
  let at = 0;
  let plain = true;
  let runs: string | undefined;
  let folder: Decoded | undefined;
  let elsewhere = false;
  let tree: Decoded | undefined;
  const paths: TouchedPath[] = [];
  for (; at < words.length; at += 1) {
    const word = words[at];
    const text = known(word);
    if (word === undefined || text === undefined || !text.startsWith("-")) break;
    if (text === "--no-pager" || text === "--no-optional-locks") continue;
    plain = false;
    const name = text.split("=", 1)[0] ?? text;
    if (text === "-c") {
      const setting = words[at + 1];
      if (!GIT_HARMLESS_KEYS.test(known(setting) ?? "")) runs = setting?.raw ?? text;
      at += 1;
    } else if (name === "--config-env" || (name === "--exec-path" && text.includes("="))) {
      runs = text;
      if (!text.includes("=")) at += 1;
    } else if (GIT_ELSEWHERE.has(name)) {
      if (MOVED_OPTIONS.has(name) && !text.includes("=")) at += 1;
      if (name !== "-C") elsewhere = true;
      if (name === "--work-tree")
        tree = text === name ? words[at] : literal(text, text.slice(name.length + 1));
      const place = name === "-C" ? words[at] : undefined;
      if (place !== undefined) {
        folder = under(folder, place);
        paths.push({ access: "list", word: folder });
      }
    }
  }
  const sub = known(words[at]);
  if (sub === undefined) return judgementOf({ paths, runs });
  const second = known(words[at + 1]);
  const pair = GIT_PAIRS.has(sub) && second !== undefined ? `${sub} ${second}` : undefined;
  const pairEntry = pair === undefined ? undefined : GIT_COMMANDS.get(pair);
  const entry = pairEntry ?? GIT_COMMANDS.get(sub);
  const rest = words.slice(at + (pairEntry === undefined ? 1 : 2));
  const judged = judgeSubcommand(sub, entry, rest);
  const touched = [...(elsewhere ? judged.paths.map(rootless) : judged.paths), ...gitWrites(sub, rest)];
  paths.push(...allUnder(folder, touched));
  // Outside of the work tree paths count from its root.
  if (tree !== undefined) paths.push(...allUnder(under(folder, tree), touched));
  const lines = gitRuns(sub, rest);
  const writes = GIT_TREE_WRITERS.has(sub) && entry !== pairEntry;
  return judgementOf({
    readOnly: judged.readOnly && lines.length === 0 && plain && entry !== undefined,
    paths,
    needs: "git-trusted",
    links: writes || (GIT_TREE_WRITERS.has(sub) && pairEntry === undefined) ? "anywhere" : undefined,
    lines,
    runs,
  });
}

/** With `--git-dir` and the like it is not known where the repository's root is. */
function rootless(path: TouchedPath): TouchedPath {
  return path.base === undefined ? path : { ...path, word: unknown(path.word.raw, path.word.single) };
}

function judgeSubcommand(sub: string, entry: GitEntry | undefined, words: readonly Decoded[]): Judgement {
  const { flags, valued, lists } = setsOf(entry);
  const paths: TouchedPath[] = [];
  const files: TouchedPath[] = [];
  let readOnly = true;
  let listing = false;
  let ended = false;
  let operands = 0;
  let pattern = sub === "grep";
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const text = known(word);
    if (!ended && text === "--") {
      ended = true;
      continue;
    }
    if (!ended && text?.startsWith("-") === true && text !== "-") {
      const name = text.split("=", 1)[0] ?? text;
      if (lists.has(name)) listing = true;
      const given = sub === "grep" ? PATTERN.exec(text)?.[1] : undefined;
      if (given !== undefined) {
        pattern = false;
        if (given === "" && text !== "-e") at += 1;
      }
      const patterns = sub === "grep" ? PATTERN_FILE.exec(text)?.[1] : undefined;
      if (patterns !== undefined) {
        pattern = false;
        readOnly = false;
        const file = patterns === "" ? words[at + 1] : literal(text, patterns);
        if (patterns === "") at += 1;
        if (file !== undefined) files.push({ access: "read", word: file });
        continue;
      }
      // Shortened names count: `--outp` is `--output`.
      if (
        /^(?:-o|--ou\w*|-O|--file|-F|--export-marks|--pathspec-from-file)/.test(name) &&
        sub !== "grep" &&
        sub !== "config"
      )
        addFlagFile(sub, text, words[at + 1], paths);
      if (sub === "log" && /^-L/.test(text))
        addLineRange(text === "-L" ? words[at + 1] : literal(text, text.slice(2)), paths);
      if (valued.has(text)) at += 1;
      else if (!isKnownFlag(text, name, flags, valued, entry)) readOnly = false;
      continue;
    }
    if (
      !ended &&
      (word.value === undefined || word.glob) &&
      (startOf(word) === "" || startOf(word).startsWith("-"))
    )
      readOnly = false;
    if (pattern) {
      pattern = false;
      if (word.value === undefined && !word.single) readOnly = false;
      continue;
    }
    operands += 1;
    if (entry?.operands === "paths" || (entry === undefined && PATH_COMMANDS.has(sub))) {
      addOperand(word, entry?.walks === true, paths);
    }
    if (word.value === undefined && entry?.operands !== "text") readOnly = false;
  }
  if (entry?.operands === "refused" && operands > 0 && !listing) readOnly = false;
  if (entry?.walks === true && paths.length === 0)
    paths.push({ access: "walk", word: literal("."), recursive: true });
  return judgementOf({ readOnly, paths: files.length === 0 ? paths : [...files, ...paths] });
}

/** `-e pattern`, `-ne pattern`, `-epattern`. */
const PATTERN = /^-(?!-)[^ABCmOfe]*e(.*)$/s;

/** `-f file`, `-nf file`, `-ffile` of `git grep`: patterns are read from it. Letters with a value of their own end it. */
const PATTERN_FILE = /^-(?!-)[^eABCmOf]*f(.*)$/s;

function isKnownFlag(
  text: string,
  name: string,
  flags: ReadonlySet<string>,
  valued: ReadonlySet<string>,
  entry: GitEntry | undefined,
): boolean {
  if (flags.has(text) || (text.startsWith("--") && (flags.has(name) || valued.has(name)))) return true;
  if (entry?.digits === true && /^-\d+$/.test(text)) return true;
  if (text.startsWith("--")) return false;
  // `-n5`, `-U3`, `-M90%`: a short flag with its value attached.
  const short = text.slice(0, 2);
  if (valued.has(short)) return true;
  if (/^-[UMCn]\d+%?$/.test(text) && flags.has(short)) return true;
  return text.length > 2 && [...text.slice(1)].every((letter) => flags.has(`-${letter}`));
}

function addFlagFile(sub: string, text: string, next: Decoded | undefined, paths: TouchedPath[]): void {
  const value = (/^--[\w-]+=(.*)$/s.exec(text) ?? /^-[oOF](.+)$/s.exec(text))?.[1];
  const word = value === undefined ? next : literal(text, value);
  if (word === undefined || (value === undefined && !/^(?:-o|-O|-F|--[\w-]+)$/.test(text))) return;
  const writes = /^(?:-o|--o|--export-)/.test(text) && sub !== "ls-files" && sub !== "clone";
  paths.push({ access: writes ? "write" : "read", word });
}

/** `-L 1,9:file` shows the file's lines. */
function addLineRange(range: Decoded | undefined, paths: TouchedPath[]): void {
  const file = /:([^:]+)$/.exec(known(range) ?? "")?.[1];
  if (range !== undefined)
    paths.push({ access: "read", word: file === undefined ? unknown(range.raw) : literal(range.raw, file) });
}

/** A revision or a path: git finds out by looking, so it counts as both. */
function addOperand(word: Decoded, walks: boolean, paths: TouchedPath[]): void {
  const access = walks ? "walk" : "read";
  const text = known(word);
  if (text === undefined) {
    paths.push({ access, word, recursive: walks });
    return;
  }
  if (text.startsWith(":")) {
    paths.push(...indexPaths(word, text).map((path) => ({ access, ...path, recursive: walks }) as const));
    return;
  }
  const colon = text.indexOf(":");
  const path = colon > 0 ? text.slice(colon + 1) : text;
  if (/^(?:HEAD|FETCH_HEAD|ORIG_HEAD|MERGE_HEAD|@)(?:[~^@{].*)?$/.test(path) && colon < 0) return;
  if (path === "") return;
  if (colon > 0) paths.push({ access, word: literal(word.raw, path), recursive: walks, ...baseOf(path) });
  else
    for (const each of pathspec(literal(word.raw, path)))
      paths.push({ access, word: each, recursive: walks });
}

/** `:2:path` is a file of the index; `:path` is that or a pathspec, so it counts as both. */
function indexPaths(word: Decoded, text: string): readonly Pick<TouchedPath, "word" | "base">[] {
  const [, magic, path] = /^:([0-3]:|\/|!|\^)?([^(].*)$/s.exec(text) ?? [];
  if (path === undefined || magic === "/") return [{ word: unknown(word.raw) }];
  const here = { word: literal(word.raw, path) };
  const staged = { ...here, ...baseOf(path) };
  if (magic === undefined) return staged.base === undefined ? [here] : [here, staged];
  return /^[0-3]/.test(magic) ? [staged] : [here];
}

/** A path behind a revision starts at the repository's root, unless it says that it does not. */
function baseOf(path: string): Pick<TouchedPath, "base"> {
  return /^\.\.?\//.test(path) ? {} : { base: "repository" };
}

interface GitSets {
  readonly flags: ReadonlySet<string>;
  readonly valued: ReadonlySet<string>;
  readonly lists: ReadonlySet<string>;
}

const NO_SETS: GitSets = { flags: new Set(), valued: new Set(), lists: new Set() };
const compiled = new WeakMap<GitEntry, GitSets>();

function setsOf(entry: GitEntry | undefined): GitSets {
  if (entry === undefined) return NO_SETS;
  const ready = compiled.get(entry);
  if (ready !== undefined) return ready;
  const set = (text: string | undefined): ReadonlySet<string> =>
    new Set((text ?? "").split(" ").filter(Boolean));
  const sets = { flags: set(entry.flags), valued: set(entry.valued), lists: set(entry.lists) };
  compiled.set(entry, sets);
  return sets;
}
