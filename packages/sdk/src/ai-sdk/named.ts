import { type AiSdkDoor, type AiSdkModel, findKey, type LanguageModel } from "../model/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { fromAiSdk } from "./from-ai-sdk.ts";

const GOOGLE = "@ai-sdk/google";
const GOOGLE_VERSION = "3.0.141";
const GOOGLE_KEYS = [
  { variable: "GOOGLE_GENERATIVE_AI_API_KEY", scheme: "apiKey" },
  { variable: "GEMINI_API_KEY", scheme: "apiKey" },
] as const;

/** Packages of the AI SDK whose models are given as objects, by the name that people write. */
const PACKAGES: ReadonlyMap<string, readonly [name: string, call: string]> = new Map([
  ["mistral", ["@ai-sdk/mistral", "mistral"]],
  ["xai", ["@ai-sdk/xai", "xai"]],
  ["groq", ["@ai-sdk/groq", "groq"]],
  ["deepseek", ["@ai-sdk/deepseek", "deepseek"]],
  ["cohere", ["@ai-sdk/cohere", "cohere"]],
  ["bedrock", ["@ai-sdk/amazon-bedrock", "bedrock"]],
  ["amazon-bedrock", ["@ai-sdk/amazon-bedrock", "bedrock"]],
  ["azure", ["@ai-sdk/azure", "azure"]],
  ["vertex", ["@ai-sdk/google-vertex", "vertex"]],
]);

/**
 * The model behind `google/…`, whose package is an optional peer.
 *
 * @throws CastellanError `invalid_model` with the install line where the package is missing, and with the import to
 * write for a provider whose model must be given as an object; `missing_key`.
 */
export const namedAiSdkModel: AiSdkDoor["namedAiSdkModel"] = async (name, parts) => {
  const slash = name.indexOf("/");
  const provider = name.slice(0, slash);
  const modelId = name.slice(slash + 1);
  if (provider === "google") return googleModel(name, modelId, parts);
  const known = PACKAGES.get(provider);
  if (known === undefined) return undefined;
  const [pack, call] = known;
  throw new CastellanError(
    "invalid_model",
    `\`model\` is ${JSON.stringify(name)}, which has no adapter here.`,
    {
      subject: "model",
      fix:
        `Run \`npm i ${pack}\` and give its model: import { ${call} } from "${pack}"; ` +
        `model: ${call}(${JSON.stringify(modelId)}).`,
    },
  );
};

async function googleModel(
  id: string,
  modelId: string,
  parts: Parameters<AiSdkDoor["namedAiSdkModel"]>[1],
): Promise<LanguageModel> {
  const { createGoogleGenerativeAI } = await loadGoogle(id);
  const key = findKey("google", GOOGLE_KEYS, false, parts);
  const google = createGoogleGenerativeAI({ apiKey: key?.secret });
  return fromAiSdk(google(modelId), { ...parts, id });
}

interface GooglePackage {
  createGoogleGenerativeAI(settings: {
    readonly apiKey: string | undefined;
  }): (modelId: string) => AiSdkModel;
}

async function loadGoogle(id: string): Promise<GooglePackage> {
  try {
    // Named at run time: the package is the user's to install.
    const name: string = GOOGLE;
    return (await import(name)) as GooglePackage;
  } catch (cause) {
    throw new CastellanError("invalid_model", `\`model\` is "${id}", and ${GOOGLE} could not be loaded.`, {
      subject: "model",
      fix: `Run \`npm i ${GOOGLE}@${GOOGLE_VERSION}\`.`,
      cause,
    });
  }
}
