import { CastellanError } from "../../protocol/index.ts";

/** The error of a settings file that could not be changed. */
export function notChanged(file: string, problem: string, fix: string, cause?: unknown): CastellanError {
  return new CastellanError("invalid_settings", `${file} was not changed: ${problem}.`, {
    subject: file,
    fix,
    cause,
  });
}
