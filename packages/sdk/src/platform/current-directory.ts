import process from "node:process";
import { CastellanError } from "../protocol/index.ts";

/**
 * The working directory of the process.
 *
 * @throws CastellanError `invalid_option` where it has been removed under the process.
 */
export function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new CastellanError(
      "invalid_option",
      "The folder that this process stands in does not exist any more.",
      {
        subject: "cwd",
        fix: "Go to one that exists.",
        cause,
      },
    );
  }
}
