import { readFile } from "node:fs/promises";
import { EXIT } from "../exit-codes.ts";
import { Fault } from "../fault.ts";

const WHY: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "there is no such file"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "reading it is not permitted"],
  ["EPERM", "reading it is not permitted"],
  ["ELOOP", "its links lead in a circle"],
]);

/**
 * The text of a file that a flag names, without a byte order mark.
 *
 * @param flag whose value it is: `--cases`.
 * @throws Fault (usage) naming flag, file, why and fix.
 */
export async function givenFile(flag: string, file: string, fix: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const why =
      code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is no UTF-8" : (WHY.get(code) ?? String(error));
    throw new Fault(EXIT.usage, `${flag} ${file} cannot be read: ${why}. ${fix}`, error);
  }
}
