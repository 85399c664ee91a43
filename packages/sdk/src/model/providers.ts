/** How a provider is reached when only its name is given. */
export interface Provider {
  readonly api: WireApi;
  readonly baseURL: string;
  /** Variables that may hold another base URL. */
  readonly baseVariables: readonly string[];
  /** Variables that may hold the key, the usual one first; `token` ones are sent as bearer tokens. */
  readonly keys: readonly { readonly variable: string; readonly scheme: "apiKey" | "accessToken" }[];
  /** Runs on the user's own machine: needs no key, and may read a long prompt for minutes. */
  readonly local?: true;
  /** Key of `meta`; default the provider's name. */
  readonly meta?: string;
}

/** `openai`: Responses for models that reason, chat completions for the rest. */
export type WireApi = "anthropic" | "openai" | "openai-chat" | "openai-responses";

const OPENAI = {
  baseURL: "https://api.openai.com/v1",
  baseVariables: ["OPENAI_BASE_URL"],
  keys: [{ variable: "OPENAI_API_KEY", scheme: "apiKey" }],
  meta: "openai",
} as const;

export const PROVIDERS: ReadonlyMap<string, Provider> = new Map<string, Provider>([
  [
    "anthropic",
    {
      api: "anthropic",
      baseURL: "https://api.anthropic.com/v1",
      baseVariables: ["ANTHROPIC_BASE_URL"],
      keys: [
        { variable: "ANTHROPIC_API_KEY", scheme: "apiKey" },
        { variable: "ANTHROPIC_AUTH_TOKEN", scheme: "accessToken" },
      ],
    },
  ],
  ["openai", { api: "openai", ...OPENAI }],
  ["openai-chat", { api: "openai-chat", ...OPENAI }],
  ["openai-responses", { api: "openai-responses", ...OPENAI }],
  [
    "openrouter",
    {
      api: "openai-chat",
      baseURL: "https://openrouter.ai/api/v1",
      baseVariables: ["OPENROUTER_BASE_URL"],
      keys: [{ variable: "OPENROUTER_API_KEY", scheme: "apiKey" }],
    },
  ],
  ["ollama", local("http://127.0.0.1:11434/v1", ["OLLAMA_HOST", "OLLAMA_BASE_URL"], "OLLAMA_API_KEY")],
  ["vllm", local("http://127.0.0.1:8000/v1", ["VLLM_BASE_URL"], "VLLM_API_KEY")],
  ["llamacpp", local("http://127.0.0.1:8080/v1", ["LLAMACPP_BASE_URL"], "LLAMA_API_KEY")],
  ["lmstudio", local("http://127.0.0.1:1234/v1", ["LMSTUDIO_BASE_URL"], "LMSTUDIO_API_KEY")],
]);

function local(baseURL: string, baseVariables: readonly string[], variable: string): Provider {
  return { api: "openai-chat", baseURL, baseVariables, keys: [{ variable, scheme: "apiKey" }], local: true };
}

/** Short names that people use. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ["opus", "anthropic/claude-opus-5-5"],
  ["sonnet", "anthropic/claude-sonnet-5-5"],
  ["haiku", "anthropic/claude-haiku-5-5"],
]);

/** What `auto` takes: the first whose key is set. */
export const STANDARD_MODELS: readonly (readonly [provider: string, model: string])[] = [
  ["anthropic", "claude-sonnet-5-5"],
  ["openai", "gpt-5.5"],
  ["openrouter", "anthropic/claude-sonnet-5.5"],
];

const ANTHROPIC_NAME = /^claude-/;
const OPENAI_NAME = /^(gpt-|chatgpt-|codex-|o\d)/;

/** `provider/model`, an alias, or a bare name that is known; undefined for any other text. */
export function splitName(name: string): { readonly provider: string; readonly model: string } | undefined {
  const full = ALIASES.get(name) ?? name;
  const slash = full.indexOf("/");
  if (slash > 0 && slash < full.length - 1 && PROVIDERS.has(full.slice(0, slash))) {
    return { provider: full.slice(0, slash), model: full.slice(slash + 1) };
  }
  if (ANTHROPIC_NAME.test(full)) return { provider: "anthropic", model: full };
  return OPENAI_NAME.test(full) ? { provider: "openai", model: full } : undefined;
}
