import type { ShellAccess } from "../protocol/index.ts";
import { HOME_MARK } from "./characters.ts";
import { type Arguments, type GivenOption, readArguments } from "./options.ts";
import type { Program } from "./program.ts";
import { baseName, destinationOf } from "./special/destination.ts";
import {
  type Judgement,
  judgementOf,
  NOTHING_KNOWN,
  type TouchedPath,
  withMore,
} from "./special/judgement.ts";
import { linksOf } from "./special/links-of.ts";
import { shapedPaths, sshCommand } from "./special/shapes.ts";
import { type Decoded, known, literal, startOf, unknown } from "./words/decoded.ts";

const NAMES_FILES = /^--files(?:0)?-from$/;

const NO_LINES: (string | undefined)[] = [];

/** What a row of the tables says about the words behind a program. */
export function judgeProgram(name: string, program: Program, words: readonly Decoded[]): Judgement {
  const { entry } = program;
  const given = readArguments(program, words);
  const paths: TouchedPath[] = [];
  // Few programs are given lines that they run.
  const lines = program.runs.size === 0 && program.shapes.size === 0 ? NO_LINES : [];
  const isGrep = name.endsWith("grep");
  // As with a map: see `at`.
  const mayWalk = program.recursive.size > 0;
  let walks = mayWalk && program.recursive.has("*");
  for (const option of given.options) {
    addShaped(program, option, paths, lines);
    if (mayWalk && program.recursive.has(option.name)) walks = true;
    if (isGrep && (option.name === "-d" || option.name === "--directories")) walks = true;
    const access = at(program.paths, option.name);
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
  if (entry.writes !== undefined)
    paths.push({ access: "write", word: literal(entry.writes, entry.writes.replace(/^~/, HOME_MARK)) });
  if (entry.unpacks === true && !givesAny(given, program.listsWith))
    paths.push({ access: "write", word: unknown("."), recursive: true });
  // An expression of `yq` can load a file by itself.
  if (name === "yq" && given.operands.some((word) => /load/.test(word.value ?? "load")))
    paths.push({ access: "read", word: unknown("load") });
  const unknownPath = paths.some((path) => path.word.value === undefined);
  const fine = given.sure && !unknownPath && withinLimits(name, program, given);
  const links = entry.links === undefined ? NOTHING_KNOWN : linksOf(program, given);
  return judgementOf({
    readOnly:
      entry.readOnly === true &&
      fine &&
      (entry.requires === undefined || given.options.some((option) => option.name === entry.requires)) &&
      paths.every((path) => path.access !== "write" && path.access !== "remove"),
    editLike:
      entry.edit === true && fine && given.operands.length > 0 && given.operands.every((word) => !word.glob),
    paths,
    links: links.links,
    lines,
    copiesLinks: links.copiesLinks,
  });
}

/** To ask an empty map costs as much as to ask another, and most are empty. */
function at<V>(map: ReadonlyMap<string, V>, name: string): V | undefined {
  return map.size === 0 ? undefined : map.get(name);
}

/** Paths inside the value of an option, and command lines that it runs. */
function addShaped(
  program: Program,
  option: GivenOption,
  paths: TouchedPath[],
  lines: (string | undefined)[],
): void {
  const { value } = option;
  if (value === undefined) return;
  const second = at(program.two, option.name);
  if (second !== undefined && second !== "text") paths.push({ access: second as ShellAccess, word: value });
  const shape = at(program.shapes, option.name);
  if (shape !== undefined) paths.push(...shapedPaths(shape, value));
  if (shape === "ssh") {
    const text = known(value);
    const line = text === undefined ? undefined : sshCommand(text);
    if (line !== undefined || (text === undefined && mayNameCommand(value))) lines.push(line);
  }
  const more = at(program.runs, option.name);
  if (more !== undefined) {
    // `gcc` has commas between the words.
    const text = option.name === "-wrapper" ? known(value)?.replaceAll(",", " ") : known(value);
    if (text === undefined || !PLAIN_SSH.test(text)) lines.push(more ? withMore(text) : text);
  }
}

/** `rsync -e ssh` runs what it would run anyway. */
const PLAIN_SSH = /^(?:\/usr\/bin\/)?ssh(?:\s+-(?:p\s*\d+|[46CTqvx]+))*$/;

function mayNameCommand(word: Decoded): boolean {
  const start = startOf(word);
  return start === "" || /^(?:Proxy|Local|Known)/i.test(start) || !/[=\s]/.test(start);
}

function addOperands(program: Program, given: Arguments, walks: boolean, paths: TouchedPath[]): void {
  const { entry } = program;
  const { operands } = given;
  const firstIsOther = entry.first !== undefined && !given.strange && !givesAny(given, program.firstUnless);
  const destination = destinationOf(given);
  const writes = givesAny(given, program.writesWith);
  const removes = givesAny(given, program.removesWith);
  let shown = 0;
  for (let index = 0; index < operands.length; index += 1) {
    const word = operands[index] as Decoded;
    const isFirst = index === 0 && firstIsOther;
    const isLast =
      entry.last !== undefined && destination === undefined && index === operands.length - 1 && index > 0;
    const plainRole = isFirst ? entry.first : isLast ? entry.last : entry.operands;
    const role = writes && plainRole === "read" ? "write" : plainRole;
    if (!isFirst) shown += 1;
    if (role === undefined || role === "text" || role === "none") continue;
    if ((word.value === "-" && !word.glob) || isElsewhere(program, word)) continue;
    const shaped = at(program.shapes, "operand");
    if (shaped !== undefined) {
      paths.push(...shapedPaths(shaped, word));
      continue;
    }
    const deep =
      walks &&
      (role === "read" || role === "list" || role === "remove" || role === "walk" || role === "write");
    const access = deep && (role === "read" || role === "list") && entry.last === undefined ? "walk" : role;
    paths.push({ access, word, recursive: deep });
    if (removes && role === "read") paths.push({ access: "remove", word, recursive: deep });
    // What is moved away was read as well.
    if (entry.last !== undefined && access === "remove")
      paths.push({ access: "read", word, recursive: walks });
  }
  if (entry.last !== undefined) addTargets(program, given, destination, paths);
  if (shown === 0 && entry.implicit !== undefined) {
    paths.push({
      access: walks && entry.implicit !== "write" ? "walk" : entry.implicit,
      word: literal("."),
      recursive: walks,
    });
  } else if (shown === 0 && walks && entry.last === undefined && entry.operands === "read") {
    paths.push({ access: "walk", word: literal("."), recursive: true });
  }
}

function givesAny({ options }: Arguments, names: ReadonlySet<string>): boolean {
  return names.size > 0 && options.some((option) => names.has(option.name));
}

const ELSEWHERE = { host: /^[^/]+:/, pod: /^[^:./~][^:]*:/, s3: /^s3:\/\// };

/** `host:path` of `scp`: not a file of this machine. */
function isElsewhere(program: Program, word: Decoded): boolean {
  const { remote } = program.entry;
  return remote !== undefined && ELSEWHERE[remote].test(known(word) ?? "");
}

/** Where the last operand is a directory, each source lands below it under its own name. */
function addTargets(
  program: Program,
  given: Arguments,
  destination: GivenOption | undefined,
  paths: TouchedPath[],
): void {
  const place = destination === undefined ? given.operands[given.operands.length - 1] : destination.value;
  const folder = known(place);
  if (folder === undefined || (place !== undefined && isElsewhere(program, place))) return;
  const sources = destination === undefined ? given.operands.slice(0, -1) : given.operands;
  for (const source of sources) {
    const named = baseName(source);
    const base = program.entry.remote !== undefined ? named?.replace(/^.*:/s, "") : named;
    if (base === undefined || base === "") continue;
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
    name.endsWith("grep") &&
    given.options.some((option) => /^(?:-d|--directories|-D|--devices)$/.test(option.name))
  )
    return false;
  if (name === "date") return given.operands.every((word) => startOf(word).startsWith("+"));
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
