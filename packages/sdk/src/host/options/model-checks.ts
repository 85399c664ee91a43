import { EFFORTS, isAuth } from "../../model/index.ts";
import { isCastellanError } from "../../protocol/index.ts";
import { compileSchema } from "../../schema/index.ts";
import { type Check, isPlainObject, oneOf, shape, text, wholeNumber } from "./checks.ts";

/** Providers take no smaller budget. */
const LEAST_THINKING = 1024;

const THINKING = 'an object: {type: "adaptive"}, {type: "enabled", budgetTokens} or {type: "disabled"}';

export const thinking: Check = (value) => {
  if (!isPlainObject(value) || value.type === undefined) return { at: "", expected: THINKING, got: value };
  if (value.type !== "enabled")
    return shape({ type: oneOf(["adaptive", "enabled", "disabled"]) }, THINKING)(value);
  if (value.budgetTokens === undefined) return { at: ".budgetTokens", expected: "a number", got: undefined };
  return shape({ type: oneOf(["enabled"]), budgetTokens: wholeNumber(LEAST_THINKING) }, THINKING)(value);
};

const ADDRESS = shape(
  { baseURL: text, model: text, api: oneOf(["anthropic", "openai-chat", "openai-responses"]) },
  "an object with baseURL, model and api",
);

export const address: Check = (value) => {
  const fault = ADDRESS(value);
  if (fault !== undefined) return fault;
  const { model } = value as { readonly model?: unknown };
  return model === undefined
    ? { at: ".model", expected: "the model's name on that server", got: model }
    : undefined;
};

export const effort: Check = oneOf(EFFORTS);

export const amount: Check = (value) =>
  typeof value === "number" && Number.isFinite(value) && value > 0
    ? undefined
    : { at: "", expected: "a number above 0", got: value };

export const auth: Check = (value) =>
  isAuth(value)
    ? undefined
    : {
        at: "",
        expected: "made by apiKey(), apiKeyFromEnv(), accessToken() or accessTokenFromEnv()",
        // A key that was given as it is must not reach a message.
        got: typeof value === "string" ? "(hidden)" : value,
        fix: typeof value === "string" ? 'Write apiKey("…").' : "Import one of them from @castellan/sdk.",
      };

const FORMAT = '{type: "json_schema", schema}';

export const outputFormat: Check = (value) => {
  const fault = shape({ type: oneOf(["json_schema"]), schema: () => undefined }, FORMAT)(value);
  if (fault !== undefined) return fault;
  const { type, schema } = value as { readonly type?: unknown; readonly schema?: unknown };
  if (type === undefined) return { at: ".type", expected: '"json_schema"', got: undefined };
  if (!isPlainObject(schema)) return { at: ".schema", expected: "a JSON Schema of an object", got: schema };
  try {
    compileSchema(schema, { tool: "StructuredOutput" });
    return undefined;
  } catch (error) {
    const fix = isCastellanError(error) ? error.message : String(error);
    return { at: ".schema", expected: "a JSON Schema of an object", got: schema, fix };
  }
};
