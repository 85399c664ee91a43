import { EFFORTS, isAuth } from "../../model/index.ts";
import { isCastellanError } from "../../protocol/index.ts";
import { compileSchema, isJsonObject } from "../../schema/index.ts";
import { OUTPUT_TOOL } from "../opening/output-format.ts";
import { oneOf, shape, text, wholeNumber } from "./checks.ts";
import { type Check, fault } from "./fault.ts";

/** Providers take no smaller budget. */
export const LEAST_THINKING = 1024;

const THINKING = 'an object: {type: "adaptive"}, {type: "enabled", budgetTokens} or {type: "disabled"}';

export const thinking: Check = (value) => {
  if (!isJsonObject(value) || value.type === undefined) return fault(THINKING, value);
  if (value.type !== "enabled")
    return shape({ type: oneOf(["adaptive", "enabled", "disabled"]) }, THINKING)(value);
  if (value.budgetTokens === undefined) return fault("a number", undefined, ".budgetTokens");
  return shape({ type: oneOf(["enabled"]), budgetTokens: wholeNumber(LEAST_THINKING) }, THINKING)(value);
};

const ADDRESS = shape(
  { baseURL: text, model: text, api: oneOf(["anthropic", "openai-chat", "openai-responses"]) },
  "an object with baseURL, model and api",
);

export const address: Check = (value) => {
  const found = ADDRESS(value);
  if (found !== undefined) return found;
  const { model } = value as { readonly model?: unknown };
  return model === undefined ? fault("the model's name on that server", model, ".model") : undefined;
};

export const effort: Check = oneOf(EFFORTS);

export const amount: Check = (value) =>
  typeof value === "number" && Number.isFinite(value) && value > 0
    ? undefined
    : fault("a number above 0", value);

export const auth: Check = (value) => {
  if (isAuth(value)) return undefined;
  const made = "made by apiKey(), apiKeyFromEnv(), accessToken() or accessTokenFromEnv()";
  if (typeof value !== "string") return fault(made, value, "", "Import one of them from @castellan/sdk.");
  // A key that was given as it is must not reach a message.
  return { at: "", expected: made, got: "a string (not shown: it may be a key)", fix: 'Write apiKey("…").' };
};

const FORMAT = '{type: "json_schema", schema}';

export const outputFormat: Check = (value) => {
  const found = shape({ type: oneOf(["json_schema"]), schema: () => undefined }, FORMAT)(value);
  if (found !== undefined) return found;
  const { type, schema } = value as { readonly type?: unknown; readonly schema?: unknown };
  if (type === undefined) return fault('"json_schema"', undefined, ".type");
  if (!isJsonObject(schema)) return fault("a JSON Schema of an object", schema, ".schema");
  // Elsewhere such a form is a map with a key of this name; here it is a JSON Schema, and the answer is an object.
  if (schema.type !== undefined && schema.type !== "object")
    return fault('"object"', schema.type, ".schema.type");
  if (schema.type === undefined && isJsonObject(schema.properties))
    return fault('"object", because there are properties', undefined, ".schema.type");
  try {
    compileSchema(schema, { tool: OUTPUT_TOOL });
    return undefined;
  } catch (error) {
    const fix = isCastellanError(error) ? error.message : String(error);
    return fault("a JSON Schema of an object", schema, ".schema", fix);
  }
};
