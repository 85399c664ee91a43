import { MAX_SCRIPT_FILES } from "../limits.ts";
import { type Decoded, known, literal, startOf, unknown } from "../words/decoded.ts";
import type { TouchedPath } from "./judgement.ts";
import { isPlainSedScript } from "./sed-script.ts";

/** A file command wherever one may stand: after an address, a separator, or the flags of `s`. */
const FILE_COMMAND = /(?<![a-zA-Z\\])[gpeImM0-9]*([rRwW])[ \t]*([^\n]+)/g;
/** The same where a letter may be the delimiter of `s`: `sxaxbxw file`. */
const LOOSE_COMMAND = /([rRwW])[ \t]*([^\n]+)/g;
const LETTER_DELIMITER = /(?:^|[\s;{}!/$\dIM])[sy](\w)(?=.*\1.*\1)/s;

/**
 * The files that a script's `r R w W` name. A script is not taken apart for it: a letter that only looks like
 * such a command gives one path too many, which hurts only where a rule names that very path.
 */
export function sedFiles(script: Decoded | undefined): readonly TouchedPath[] {
  if (script === undefined) return [];
  const text = known(script);
  if (text === undefined) {
    return startOf(script) === "" ? [{ access: "read", word: unknown(script.raw, script.single) }] : [];
  }
  if (isPlainSedScript(text)) return [];
  const found: TouchedPath[] = [];
  const command = LETTER_DELIMITER.test(text) ? LOOSE_COMMAND : FILE_COMMAND;
  command.lastIndex = 0;
  for (let hit = command.exec(text); hit !== null; hit = command.exec(text)) {
    if (found.length >= MAX_SCRIPT_FILES) {
      // Which others there are is not looked at.
      for (const access of ["read", "write"] as const) found.push({ access, word: unknown(script.raw) });
      break;
    }
    const access = /[rR]/.test(hit[1] ?? "") ? "read" : "write";
    found.push({ access, word: literal(script.raw, (hit[2] ?? "").trimEnd()) });
    // The rest of the line may hold another.
    command.lastIndex = hit.index + hit[0].length - (hit[2] ?? "").length;
  }
  return found;
}
