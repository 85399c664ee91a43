import { MAX_POWER_SHELL } from "../limits.ts";
import { type ArgumentRole, CMDLETS, type Cmdlet } from "./cmdlets.ts";
import { type PowerShellWord, powerShellWords } from "./tokens.ts";

/** A file or directory that a line of PowerShell looks at. */
export interface PowerShellPath {
  readonly access: "read" | "list" | "walk";
  /** Slashes only; `~` is the home. */
  readonly path: string;
  readonly recursive?: true;
}

/** What is known of a line of PowerShell without running it. */
export interface PowerShellAnalysis {
  /** Every command of the line as rules are compared with it; undefined: nothing is known of the line. */
  readonly commands: readonly string[] | undefined;
  /** Every command is a known cmdlet that only reads, with literal arguments. */
  readonly readOnly: boolean;
  /** Where it only reads: what it looks at. */
  readonly paths: readonly PowerShellPath[];
}

const UNSEEN: PowerShellAnalysis = { commands: undefined, readOnly: false, paths: [] };
const CMDLET_NAME = /^[A-Za-z]+-[A-Za-z]+$/;

/**
 * Reads the small part of PowerShell that needs no PowerShell: cmdlets with literal arguments, joined by `;` and `|`.
 * Pure; never throws. Of any other line nothing is known.
 */
export function analysePowerShell(line: string): PowerShellAnalysis {
  if (line.length > MAX_POWER_SHELL) return UNSEEN;
  const split = powerShellWords(line);
  if (split === undefined || split.length === 0) return UNSEEN;
  const commands: string[] = [];
  const paths: PowerShellPath[] = [];
  let readOnly = true;
  for (const { words, piped } of split) {
    const [name, ...rest] = words;
    if (name === undefined || name.quoted || !CMDLET_NAME.test(name.text)) return UNSEEN;
    commands.push(words.map(({ text }) => text).join(" "));
    const cmdlet = CMDLETS.get(name.text.toLowerCase());
    const looked =
      cmdlet === undefined || piped !== (cmdlet.piped === true) ? undefined : looksAt(cmdlet, rest);
    if (looked === undefined) readOnly = false;
    else paths.push(...looked);
  }
  return { commands, readOnly, paths: readOnly ? paths : [] };
}

/** What a cmdlet looks at. Undefined: an argument is not known. */
function looksAt(cmdlet: Cmdlet, words: readonly PowerShellWord[]): readonly PowerShellPath[] | undefined {
  const given: { role: ArgumentRole; text: string }[] = [];
  const positions = [...cmdlet.positions];
  let recursive = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (word.quoted || !word.text.startsWith("-")) {
      const role = positions.shift();
      if (role === undefined) return undefined;
      given.push({ role, text: word.text });
      continue;
    }
    // A shortened name, and one with its value behind a colon, are not looked at.
    const name = word.text.slice(1).toLowerCase();
    if (cmdlet.switches.has(name)) {
      if (name === cmdlet.recursive) recursive = true;
      continue;
    }
    const role = cmdlet.named.get(name);
    const value = words[at + 1];
    if (role === undefined || value === undefined || (!value.quoted && value.text.startsWith("-")))
      return undefined;
    given.push({ role, text: value.text });
    // Which position it takes away depends on its name.
    positions.length = 0;
    at += 1;
  }
  const looked: PowerShellPath[] = [];
  for (const { role, text } of given) {
    if (role === "text") continue;
    const path = pathOf(text);
    if (path === undefined) return undefined;
    looked.push(recursive ? { access: "walk", path, recursive: true } : { access: role, path });
  }
  if (looked.length > 0) return looked;
  if (cmdlet.needsPath === true) return undefined;
  if (cmdlet.implicit !== true) return [];
  return [recursive ? { access: "walk", path: ".", recursive: true } : { access: "list", path: "." }];
}

/** No pattern, drive, provider, stream or share; a backslash is a slash to PowerShell everywhere. */
function pathOf(text: string): string | undefined {
  const path = text.replaceAll("\\", "/");
  if (path === "" || path.trim() !== path || /[*?[\]:`"'<>|]|^\/\/|^~(?!\/|$)/.test(path)) return undefined;
  return path;
}
