import { type Decoded, known, literal, unknown } from "../decoded.ts";
import type { TouchedPath } from "./judgement.ts";
import { isPlainSedScript } from "./sed-script.ts";

/** A file command wherever one may stand: after an address, a separator, or the flags of `s`. */
const FILE_COMMAND = /(?<![a-zA-Z\\])[gpeImM0-9]*([rRwW])[ \t]*([^\n]+)/g;
const MOST = 16;

/**
 * The files that a script's `r R w W` name. A script is not taken apart for it: a letter that only looks like
 * such a command gives one path too many, which hurts only where a rule names that very path.
 */
export function sedFiles(script: Decoded | undefined): readonly TouchedPath[] {
  if (script === undefined) return [];
  const text = known(script);
  if (text === undefined) {
    return (script.pieces[0] ?? "") === ""
      ? [{ access: "read", word: unknown(script.raw, script.single) }]
      : [];
  }
  if (isPlainSedScript(text)) return [];
  const found: TouchedPath[] = [];
  FILE_COMMAND.lastIndex = 0;
  for (
    let hit = FILE_COMMAND.exec(text);
    hit !== null && found.length < MOST;
    hit = FILE_COMMAND.exec(text)
  ) {
    const access = /[rR]/.test(hit[1] ?? "") ? "read" : "write";
    found.push({ access, word: literal(script.raw, (hit[2] ?? "").trimEnd()) });
    // The rest of the line may hold another.
    FILE_COMMAND.lastIndex = hit.index + hit[0].length - (hit[2] ?? "").length;
  }
  return found;
}
