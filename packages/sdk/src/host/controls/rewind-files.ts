import { isJsonObject } from "../../schema/index.ts";
import type { OpenSession } from "../opening/open-session.ts";
import type { RewindFilesOptions, RewindFilesResult } from "../opening/session-files.ts";
import { badOption, shown } from "../options/fault.ts";

/** @throws CastellanError `invalid_option` for an id or an option that is none */
export async function rewindFiles(
  session: OpenSession,
  userMessageId: string,
  options: RewindFilesOptions,
): Promise<RewindFilesResult> {
  if (typeof userMessageId !== "string" || userMessageId === "") {
    const must = 'It must be the uuid of a message of type "user".';
    throw badOption("userMessageId", `rewindFiles() was given ${shown(userMessageId)}.`, must);
  }
  if (!isJsonObject(options)) {
    throw badOption(
      "options",
      `rewindFiles() was given ${shown(options)} as options.`,
      "It must be an object.",
    );
  }
  for (const [key, value] of Object.entries(options)) {
    if (key !== "dryRun" && key !== "force") {
      throw badOption(key, `rewindFiles() knows no option ${shown(key)}.`, "It has dryRun and force.");
    }
    if (value !== undefined && typeof value !== "boolean") {
      throw badOption(key, `${key} of rewindFiles() is ${shown(value)}.`, "It must be true or false.");
    }
  }
  return session.files.rewind(userMessageId, options);
}
