import { basename } from "node:path";
import type { JsonObject, ValidationResult } from "../../protocol/index.ts";

interface Words {
  userFacingName(input: JsonObject): string;
  describe(input: JsonObject): string;
  summary(input: JsonObject): string;
  activity(input: JsonObject): string;
}

/** What a person reads about a call that takes `file_path`. */
export function fileToolWords(name: string, doing: string): Words {
  const path = (input: JsonObject): string => String(input.file_path);
  return {
    userFacingName: () => name,
    describe: (input) => `${name} ${path(input)}`,
    summary: path,
    activity: (input) => `${doing} ${basename(path(input))}`,
  };
}

/** A path that no file can have. */
export function pathProblem(path: unknown): ValidationResult {
  return typeof path === "string" && path.includes("\0")
    ? { ok: false, message: "The path holds a zero byte, which no path can." }
    : { ok: true };
}
