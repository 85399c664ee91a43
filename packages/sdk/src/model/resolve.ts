import { resolve } from "node:path";
import type { Platform } from "../platform/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { type AiSdkDoor, type AiSdkModel, aiSdkFault, looksLikeAiSdkModel } from "./ai-sdk-shape.ts";
import type { Auth } from "./auth.ts";
import type { ModelAddress, NamedModelParts } from "./named-model.ts";
import type { LanguageModel } from "./port.ts";
import { PROVIDERS, STANDARD_MODELS, splitName } from "./providers.ts";
import { shownText } from "./shown-address.ts";

/** What a model's name is looked up with. */
export interface ResolveModelParts {
  readonly platform: Platform;
  /** Absolute; where a script's relative path starts. */
  readonly cwd: string;
  /** Default: the platform's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: the provider's usual variable. */
  readonly auth?: Auth | undefined;
  /** Loads the adapter for models of the AI SDK. Without it they are refused. */
  readonly aiSdk?: () => Promise<AiSdkDoor>;
  /** Gets what a model leaves out of a request or passes over in an answer. */
  readonly warn?: (line: string) => void;
}

const SCRIPTED = "scripted:";
const FORMS =
  "`provider/model` (anthropic, openai, openrouter, ollama, vllm, llamacpp, lmstudio), a known name such as " +
  "claude-sonnet-5-5, an address such as http://127.0.0.1:8000/v1#model, `scripted:<file>`, " +
  "google/…, a model object of the AI SDK, or an object with `id`, `provider` and `stream()`";

/**
 * The model that an option names: an object of our port is itself; `provider/model`, a bare known name, an alias
 * (`opus`, `sonnet`, `haiku`), an address `http://host/v1#model` or `{baseURL, model, api?}` are reached over our own
 * wire; `scripted:<file>` is loaded. Nothing or `auto` means CASTELLAN_MODEL, else the first provider with a key.
 * The `id` of what comes back names the same model from any directory.
 *
 * @throws `invalid_model`, telling which forms work; `missing_key`, naming the variable. Nothing is sent yet.
 */
export async function resolveModel(value: unknown, parts: ResolveModelParts): Promise<LanguageModel> {
  if (value === undefined || value === "auto") return fromEnvironment(parts);
  if (typeof value === "string") return byName(value, "`model`", parts);
  if (isAddress(value)) return atAddress(value, parts);
  return looksLikeAiSdkModel(value) ? byAiSdk(value, parts) : checkPort(value);
}

// The wire loads when a model is first reached over it: a scripted run pays nothing for it.
async function ofProvider(provider: string, model: string, parts: ResolveModelParts): Promise<LanguageModel> {
  const { providerModel } = await import("./named-model.ts");
  return providerModel(provider, model, wireParts(parts));
}

async function atAddress(address: ModelAddress, parts: ResolveModelParts): Promise<LanguageModel> {
  const { addressModel } = await import("./named-model.ts");
  return addressModel(address, wireParts(parts));
}

function wireParts({ platform, env, auth }: ResolveModelParts): NamedModelParts {
  return { platform, env: env ?? platform.env, auth };
}

async function fromEnvironment(parts: ResolveModelParts): Promise<LanguageModel> {
  const env = parts.env ?? parts.platform.env;
  const name = env.CASTELLAN_MODEL?.trim();
  if (name !== undefined && name !== "" && name !== "auto") return byName(name, "CASTELLAN_MODEL", parts);
  for (const [provider, model] of STANDARD_MODELS) {
    if (keyVariables(provider).some((variable) => env[variable]?.trim())) {
      return ofProvider(provider, model, parts);
    }
  }
  const variables = STANDARD_MODELS.flatMap(([provider]) => keyVariables(provider));
  throw new CastellanError("invalid_model", "No model is given.", {
    subject: "model",
    fix:
      `Give the option \`model\` (${FORMS}), or set the variable CASTELLAN_MODEL to one of these names, ` +
      `or set a provider's key: ${variables.join(", ")}.`,
  });
}

function keyVariables(provider: string): readonly string[] {
  return PROVIDERS.get(provider)?.keys.map(({ variable }) => variable) ?? [];
}

async function byAiSdk(value: unknown, parts: ResolveModelParts): Promise<LanguageModel> {
  const found = aiSdkFault(value);
  if (found === undefined && parts.aiSdk !== undefined) {
    const { fromAiSdk } = await parts.aiSdk();
    return fromAiSdk(value as AiSdkModel, parts);
  }
  const what =
    found === undefined
      ? "`model` is an AI SDK model, and its adapter is not at hand."
      : `\`model\` is an AI SDK model whose ${found.key} is ${JSON.stringify(found.got)}; it must be ${found.expected}.`;
  const fix =
    found === undefined
      ? "Give fromAiSdk(model) from @castellan/sdk/ai-sdk."
      : "Take a release of its provider's package for AI SDK 5, 6 or 7.";
  throw new CastellanError("invalid_model", what, { subject: "model", fix });
}

async function byName(name: string, from: string, parts: ResolveModelParts): Promise<LanguageModel> {
  if (name.startsWith(SCRIPTED)) return byScript(name, from, parts);
  if (/^https?:/i.test(name)) return byAddress(name, from, parts);
  const found = splitName(name.trim());
  if (found !== undefined) return ofProvider(found.provider, found.model, parts);
  if (/^[a-z0-9-]+\/\S+$/i.test(name.trim()) && parts.aiSdk !== undefined) {
    const { namedAiSdkModel } = await parts.aiSdk();
    const foreign = await namedAiSdkModel(name.trim(), { ...parts, env: parts.env ?? parts.platform.env });
    if (foreign !== undefined) return foreign;
  }
  throw new CastellanError(
    "invalid_model",
    `${from} is ${JSON.stringify(shownText(name))}, which names no model that can be reached.`,
    { subject: "model", fix: `Give ${FORMS}.` },
  );
}

function byAddress(name: string, from: string, parts: ResolveModelParts): Promise<LanguageModel> {
  const at = name.indexOf("#");
  const model = at < 0 ? "" : safeDecode(name.slice(at + 1)).trim();
  if (model === "") {
    throw new CastellanError("invalid_model", `${from} is an address without the name of a model.`, {
      subject: "model",
      fix: "Give it behind a #, as in http://127.0.0.1:8000/v1#my-model.",
    });
  }
  return atAddress({ baseURL: name.slice(0, at), model }, parts);
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function byScript(
  name: string,
  from: string,
  { platform, cwd }: ResolveModelParts,
): Promise<LanguageModel> {
  const path = name.slice(SCRIPTED.length);
  if (path.trim() === "") {
    throw new CastellanError("invalid_model", `${from} is "${name}" without a file.`, {
      subject: "model",
      fix: "Give scripted:<file>, a .json list of turns or a .js or .mjs module that exports one.",
    });
  }
  const file = resolve(cwd, path);
  const { modelOfScript } = await import("./load-script.ts");
  return modelOfScript(file, `${SCRIPTED}${file}`, platform);
}

function isAddress(value: unknown): value is ModelAddress {
  const { baseURL, model } = (value ?? {}) as Partial<Record<keyof ModelAddress, unknown>>;
  return typeof baseURL === "string" && typeof model === "string" && model.trim() !== "";
}

function checkPort(value: unknown): LanguageModel {
  const { id, provider, stream, stallMs } = (value ?? {}) as Partial<Record<keyof LanguageModel, unknown>>;
  const missing: string[] = [];
  if (typeof id !== "string" || id === "") missing.push("`id` (a text)");
  if (typeof provider !== "string" || provider === "") missing.push("`provider` (a text)");
  if (typeof stream !== "function") missing.push("`stream(request, {signal})` (a method)");
  const hasTime = stallMs === undefined || (typeof stallMs === "number" && stallMs > 0);
  if (missing.length === 0 && hasTime) return value as LanguageModel;
  const what =
    missing.length > 0
      ? `\`model\` is no model: it lacks ${missing.join(", ")}.`
      : `\`model.stallMs\` is ${String(stallMs)}; it must be a number of milliseconds above 0.`;
  throw new CastellanError("invalid_model", what, { subject: "model", fix: `Give ${FORMS}.` });
}
