import type { FileLedger } from "../../protocol/index.ts";
import type { JudgedPath } from "./judged-path.ts";
import type { LoadedFile } from "./load-file.ts";

/** Why a file may not be overwritten yet; undefined when the model has seen exactly these bytes. */
export function checkSeen(ledger: FileLedger, path: JudgedPath, file: LoadedFile): string | undefined {
  const seen = ledger.get(path.real);
  if (seen === undefined)
    return `${path.given} has not been read in this session. Read it first, then repeat.`;
  if (seen.digest === file.digest) return undefined;
  return `${path.given} has changed since it was read: by a command, a person or another program. Read it again, then repeat.`;
}
