import { type LanguageModel, resolveModel } from "../model/index.ts";
import type { Platform } from "../platform/index.ts";
import { CastellanError, isCastellanError } from "../protocol/index.ts";
import type { Options } from "./options/types.ts";

/**
 * The model that the options name, else the one that the session ran with, else that of the environment.
 *
 * @throws CastellanError `invalid_model`
 */
export async function sessionModel(
  option: Options["model"],
  recorded: string | undefined,
  parts: { readonly platform: Platform; readonly cwd: string },
): Promise<LanguageModel> {
  try {
    return await resolveModel(option ?? recorded, parts);
  } catch (error) {
    if (option !== undefined || recorded === undefined || !isCastellanError(error, "invalid_model"))
      throw error;
    throw new CastellanError(
      "invalid_model",
      `The session ran with the model "${recorded}", which cannot be had by its name. ${error.message}`,
      { subject: "model", fix: "Give the option `model` when you resume.", cause: error },
    );
  }
}
