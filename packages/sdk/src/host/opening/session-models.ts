import { type LanguageModel, type ResolveModelParts, resolveModel } from "../../model/index.ts";
import { placeOf } from "../../permissions/index.ts";
import { CastellanError, isCastellanError } from "../../protocol/index.ts";
import type { SessionState } from "../../sessions/index.ts";
import type { PlacedValue } from "../../settings/index.ts";
import type { HostModels } from "../host-models.ts";
import type { Options } from "../options/types.ts";

/** The models of one session. */
export interface SessionModels {
  /** The model of the next request. */
  current(): LanguageModel;
  readonly fallback: LanguageModel | undefined;
  /**
   * Goes over to another model, or back to the first one. Changes happen in the order of their calls.
   *
   * Rejects as `sessionModels()` does, and with what `before` throws; then nothing changes.
   *
   * @param before called with the new model right before it holds.
   */
  change(value: Options["model"], before: (model: LanguageModel) => void): Promise<void>;
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
  parts: ResolveModelParts & {
    /** The model of the settings, for a new session whose options name none. */
    readonly standard?: PlacedValue | undefined;
  },
): Promise<SessionModels> {
  // Loaded when the first such model is met: importing the SDK brings in nothing of it.
  const full = { aiSdk: () => import("../../ai-sdk/index.ts"), ...parts, auth: options.auth };
  const named = (value: Options["model"]): Options["model"] => {
    if (value === undefined || value === "auto") return standard(shared, parts);
    return typeof value === "string" ? shared.alias(value) : value;
  };
  // An import whose model was left behind goes on with that of a new session.
  const before = recorded === "auto" ? undefined : recorded;
  const asked = options.model ?? before ?? parts.standard?.value;
  const wanted = named(asked);
  const model = await resolveModel(wanted, full).catch((error: unknown) => {
    if (options.model !== undefined) throw error;
    if (before !== undefined) throw notAgain(before, error);
    throw parts.standard === undefined ? error : notOfSettings(parts.standard, error);
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
  const mustHavePrice = ({ id }: LanguageModel): void => {
    if (options.maxBudgetUsd !== undefined && shared.prices.of(id) === undefined) throw noPrice(id);
  };
  mustHavePrice(model);
  if (fallback !== undefined) mustHavePrice(fallback);
  const resolve = (value: Options["model"]): Promise<LanguageModel> =>
    resolveBeside(model, named(value), full);
  return new ChosenModels(model, fallback, { resolve, mustHavePrice });
}

class ChosenModels implements SessionModels {
  readonly fallback: LanguageModel | undefined;
  readonly #first: LanguageModel;
  readonly #rules: {
    resolve(value: Options["model"]): Promise<LanguageModel>;
    mustHavePrice(model: LanguageModel): void;
  };
  #now: LanguageModel;
  #last: Promise<unknown> | undefined;

  constructor(
    model: LanguageModel,
    fallback: LanguageModel | undefined,
    rules: {
      resolve(value: Options["model"]): Promise<LanguageModel>;
      mustHavePrice(model: LanguageModel): void;
    },
  ) {
    this.fallback = fallback;
    this.#first = model;
    this.#now = model;
    this.#rules = rules;
  }

  current(): LanguageModel {
    return this.#now;
  }

  change(...[value, before]: Parameters<SessionModels["change"]>): Promise<void> {
    const { resolve, mustHavePrice } = this.#rules;
    const changed = (this.#last ?? Promise.resolve()).then(async () => {
      const next = value === undefined ? this.#first : await resolve(value);
      mustHavePrice(next);
      before(next);
      this.#now = next;
    });
    this.#last = changed.catch(() => {});
    return changed;
  }
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

function notOfSettings({ value, from }: PlacedValue, error: unknown): unknown {
  if (!isCastellanError(error)) return error;
  return new CastellanError(
    error.code,
    `The settings (${placeOf(from)}) name the model ${JSON.stringify(value)}. ${error.message}`,
    { subject: "model", cause: error },
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

/** What CASTELLAN_MODEL means, where it is an alias of the host. */
function standard(shared: HostModels, { env, platform }: ResolveModelParts): string | undefined {
  const name = (env ?? platform.env).CASTELLAN_MODEL;
  const model = name === undefined ? undefined : shared.alias(name);
  return model === name ? undefined : model;
}

/**
 * A budget in money counts from the start of the session, so what was spent before a resume must be known.
 *
 * @throws CastellanError `invalid_option`
 */
export function checkSpending({ maxBudgetUsd }: Options, { total }: Pick<SessionState, "total">): void {
  if (maxBudgetUsd === undefined || !total.costUnknown) return;
  const unpriced = Object.keys(total.modelUsage).filter((id) => !Object.hasOwn(total.modelCostUsd, id));
  throw new CastellanError(
    "invalid_option",
    `options.maxBudgetUsd counts from the start of the session, which has answers of unknown cost from ${unpriced.join(", ")}.`,
    { subject: "maxBudgetUsd", fix: "Give maxTokensBudget instead, or start a new session." },
  );
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
