import { type LanguageModel, type ResolveModelParts, resolveModel } from "../model/index.ts";
import { CastellanError, isCastellanError } from "../protocol/index.ts";
import type { HostModels } from "./models.ts";
import type { Options } from "./options/types.ts";

/** The models of one session. */
export interface SessionModels {
  readonly model: LanguageModel;
  readonly fallback: LanguageModel | undefined;
}

/**
 * Finds the models that the options name.
 *
 * @param recorded the model that the log of a resumed session names.
 * @throws CastellanError what `resolveModel()` throws; `invalid_option` for a fallback that is the model itself, and
 * for a budget in money where a price is not known.
 */
export async function sessionModels(
  options: Options,
  recorded: string | undefined,
  shared: HostModels,
  parts: ResolveModelParts,
): Promise<SessionModels> {
  // Loaded when the first such model is met: importing the SDK brings in nothing of it.
  const full = { aiSdk: () => import("../ai-sdk/index.ts"), ...parts, auth: options.auth };
  const named = (value: Options["model"]): Options["model"] =>
    typeof value === "string" ? shared.alias(value) : value;
  const wanted = named(options.model ?? recorded ?? standard(shared, parts));
  const model = await resolveModel(wanted, full).catch((error: unknown) => {
    throw options.model === undefined && recorded !== undefined ? notAgain(recorded, error) : error;
  });
  const fallback =
    options.fallbackModel === undefined
      ? undefined
      : await resolveBeside(model, named(options.fallbackModel), full);
  if (fallback?.id === model.id) {
    throw new CastellanError("invalid_option", `options.fallbackModel is the model itself, ${model.id}.`, {
      subject: "fallbackModel",
      fix: "Name another one, or leave it out.",
    });
  }
  if (options.maxBudgetUsd !== undefined) {
    for (const { id } of [model, ...(fallback === undefined ? [] : [fallback])]) {
      if (shared.prices.of(id) === undefined) throw noPrice(id);
    }
  }
  return { model, fallback };
}

/** A model object has no name to find it by when its session is resumed. */
function notAgain(recorded: string, error: unknown): unknown {
  if (!isCastellanError(error, "invalid_model")) return error;
  return new CastellanError(
    "invalid_model",
    `The session ran with the model "${recorded}", which cannot be had by its name. ${error.message}`,
    { subject: "model", fix: "Give the option `model` when you resume.", cause: error },
  );
}

/** A second model. The key in `auth` is for the provider of the first one and never goes to another. */
async function resolveBeside(
  first: LanguageModel,
  value: Options["model"],
  parts: ResolveModelParts,
): Promise<LanguageModel> {
  if (parts.auth === undefined) return resolveModel(value, parts);
  const second = await resolveModel(value, parts);
  return second.provider === first.provider ? second : resolveModel(value, { ...parts, auth: undefined });
}

/** What CASTELLAN_MODEL says, where it is an alias of the host. */
function standard(shared: HostModels, { env, platform }: ResolveModelParts): string | undefined {
  const name = (env ?? platform.env).CASTELLAN_MODEL;
  return name !== undefined && shared.alias(name) !== name ? name : undefined;
}

function noPrice(id: string): CastellanError {
  const name = JSON.stringify(id);
  return new CastellanError(
    "invalid_option",
    `options.maxBudgetUsd needs the price of ${id}, which is not known.`,
    {
      subject: "maxBudgetUsd",
      fix: `Tell it: createHost({ models: { prices: { ${name}: { input: …, output: … } } } }), in US dollars for a million tokens.`,
    },
  );
}
