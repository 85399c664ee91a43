import type { LanguageModel, Thinking } from "../../model/index.ts";
import type { OpenSession } from "../opening/open-session.ts";
import { wholeNumber } from "../options/checks.ts";
import { type Check, faultError } from "../options/fault.ts";
import { LEAST_THINKING } from "../options/model-checks.ts";
import { OPTION_CHECKS } from "../options/table.ts";
import type { Options } from "../options/types.ts";

/**
 * Changes the model from outside, and writes the change.
 *
 * @throws CastellanError `invalid_option`, `invalid_model`, `missing_key`: then the old model stays
 */
export async function changeModel({ models, log }: OpenSession, model: Options["model"]): Promise<void> {
  const found = model === undefined ? undefined : OPTION_CHECKS.model(model);
  if (found !== undefined) throw faultError("setModel()", "model", found);
  const record = ({ id }: LanguageModel): void => {
    if (id !== log.state.model) log.record("model.changed", { model: id, by: "control" });
  };
  await models.change(model, record);
  await log.barrier();
}

const budget: Check = (value) => (value === 0 ? undefined : wholeNumber(LEAST_THINKING)(value));

/**
 * Changes how much the model thinks, for this run.
 *
 * @throws CastellanError `invalid_option`
 */
export function changeThinking({ head }: OpenSession, tokens: number | null): void {
  const found = tokens === null ? undefined : budget(tokens);
  if (found !== undefined) {
    const fix = "0 is for no thinking, null for what the option `thinking` says.";
    throw faultError("setMaxThinkingTokens()", "tokens", { ...found, fix });
  }
  head.setThinking(tokens === null ? undefined : thinkingOf(tokens));
}

function thinkingOf(tokens: number): Thinking {
  return tokens === 0 ? { type: "disabled" } : { type: "enabled", budgetTokens: tokens };
}
