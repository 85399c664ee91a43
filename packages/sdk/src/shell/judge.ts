import { type Decoded, known, literal, unknown } from "./decoded.ts";
import { BARE_PROGRAMS, EXACT_ARGUMENTS } from "./known/exact-arguments.ts";
import { PROGRAMS } from "./known/index.ts";
import { type Arguments, type GivenOption, readArguments } from "./options.ts";
import type { Program } from "./program.ts";
import { judgeDd } from "./special/dd.ts";
import { baseName, destinationOf } from "./special/destination.ts";
import { judgeFind } from "./special/find.ts";
import { judgeGit } from "./special/git.ts";
import { type Judgement, NOTHING_KNOWN, type TouchedPath } from "./special/judgement.ts";
import { linksOf } from "./special/links-of.ts";
import { judgeNetwork } from "./special/network.ts";
import { judgeSed } from "./special/sed.ts";
import { judgeTar } from "./special/tar.ts";
import { judgeTest } from "./special/test-words.ts";

type Judge = (words: readonly Decoded[]) => Judgement;

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
  ["crontab", judgeCrontab],
]);

/** Whatever `crontab` does but listing changes what runs later. */
function judgeCrontab(words: readonly Decoded[]): Judgement {
  if (words.some((word) => known(word) === "-l")) return NOTHING_KNOWN;
  const reads = words.map((word): TouchedPath => ({ access: "read", word }));
  return {
    ...NOTHING_KNOWN,
    paths: [...reads, { access: "write", word: literal("/var/spool/cron/crontabs") }],
  };
}

/**
 * What the tables say about a program and its arguments. `name` is the bare lower-case name; whether the
 * program was called by a path, which is another program for allow, is the caller's to look at.
 */
export function judge(name: string, words: readonly Decoded[]): Judgement {
  if (EXACT_ARGUMENTS.get(name)?.has(words.length === 1 ? (known(words[0]) ?? "") : "") === true) {
    return { readOnly: true, editLike: false, paths: [] };
  }
  const special = SPECIAL.get(name);
  if (special !== undefined) return special(words);
  const program = PROGRAMS.get(name);
  if (program !== undefined) return judgeProgram(name, program, words);
  return words.length === 0 && BARE_PROGRAMS.has(name) ? { ...NOTHING_KNOWN, readOnly: true } : NOTHING_KNOWN;
}

const NAMES_FILES = /^--files(?:0)?-from$/;

function judgeProgram(name: string, program: Program, words: readonly Decoded[]): Judgement {
  const { entry } = program;
  const given = readArguments(program, words);
  const paths: TouchedPath[] = [];
  let walks = program.recursive.has("*");
  for (const option of given.options) {
    if (program.recursive.has(option.name)) walks = true;
    if (/^(?:-d|--directories)$/.test(option.name) && /grep$/.test(name)) walks = true;
    const access = program.paths.get(option.name);
    if (access !== undefined && option.value !== undefined) {
      paths.push({ access, word: option.value });
      // Which files it then reads stands in that file.
      if (NAMES_FILES.test(option.name) || (option.name === "-f" && name === "file"))
        paths.push({ access: "read", word: unknown(option.value.raw) });
    }
    if (
      access === undefined &&
      given.strange &&
      option.value !== undefined &&
      !program.valued.has(option.name)
    ) {
      paths.push({ access: "read", word: option.value });
    }
  }
  addOperands(program, given, walks, paths);
  const unknownPath = paths.some((path) => path.word.value === undefined);
  const fine = given.sure && !unknownPath && withinLimits(name, program, given);
  return {
    readOnly:
      entry.readOnly === true &&
      fine &&
      paths.every((path) => path.access !== "write" && path.access !== "remove"),
    editLike:
      entry.edit === true && fine && given.operands.length > 0 && given.operands.every((word) => !word.glob),
    paths,
    ...linksOf(program, given),
  };
}

function addOperands(program: Program, given: Arguments, walks: boolean, paths: TouchedPath[]): void {
  const { entry } = program;
  const { operands } = given;
  const firstIsOther =
    entry.first !== undefined &&
    !given.strange &&
    !given.options.some((option) => program.firstUnless.has(option.name));
  const destination = destinationOf(given);
  let shown = 0;
  operands.forEach((word, index) => {
    const isFirst = index === 0 && firstIsOther;
    const isLast =
      entry.last !== undefined && destination === undefined && index === operands.length - 1 && index > 0;
    const role = isFirst ? entry.first : isLast ? entry.last : entry.operands;
    if (!isFirst) shown += 1;
    if (role === undefined || role === "text" || role === "none") return;
    if (word.value === "-" && !word.glob) return;
    const deep =
      walks &&
      (role === "read" || role === "list" || role === "remove" || role === "walk" || role === "write");
    const access = deep && (role === "read" || role === "list") && entry.last === undefined ? "walk" : role;
    paths.push({ access, word, ...(deep ? { recursive: true } : {}) });
    // What is moved away was read as well.
    if (entry.last !== undefined && access === "remove")
      paths.push({ access: "read", word, ...(walks ? { recursive: true } : {}) });
  });
  if (entry.last !== undefined) addTargets(given, destination, paths);
  if (shown === 0 && entry.implicit !== undefined) {
    paths.push({
      access: walks ? "walk" : entry.implicit,
      word: literal("."),
      ...(walks ? { recursive: true } : {}),
    });
  } else if (shown === 0 && walks && entry.last === undefined && entry.operands === "read") {
    paths.push({ access: "walk", word: literal("."), recursive: true });
  }
}

/** Where the last operand is a directory, each source lands below it under its own name. */
function addTargets(given: Arguments, destination: GivenOption | undefined, paths: TouchedPath[]): void {
  const place = destination === undefined ? given.operands[given.operands.length - 1] : destination.value;
  const folder = known(place);
  if (folder === undefined) return;
  const sources = destination === undefined ? given.operands.slice(0, -1) : given.operands;
  for (const source of sources) {
    const base = baseName(source);
    if (base === undefined) continue;
    paths.push({
      access: "write",
      word: literal(place?.raw ?? folder, `${folder.replace(/\/+$/, "")}/${base}`),
    });
  }
}

function withinLimits(name: string, program: Program, given: Arguments): boolean {
  const { entry } = program;
  if (entry.operands === "none" && entry.first === undefined && given.operands.length > 0) return false;
  if (entry.max !== undefined) {
    if (given.operands.length > entry.max) return false;
    if (entry.operands !== "text" && given.operands.some((word) => !word.single)) return false;
  }
  if (
    given.options.some((option) => /^(?:-d|--directories|-D|--devices)$/.test(option.name)) &&
    /grep$/.test(name)
  )
    return false;
  if (name === "date") return given.operands.every((word) => (word.pieces[0] ?? "").startsWith("+"));
  if (name === "jq") {
    // A filter can show the environment or load a file by itself.
    const filters = given.operands.slice(0, 1);
    return filters.every(
      (word) =>
        known(word) !== undefined &&
        !/env|ENV|import|include|input_|\$__|modulemeta|debug/.test(known(word) ?? ""),
    );
  }
  if (name === "printf") return given.operands.length > 0;
  return true;
}
