import type { Platform } from "../platform/index.ts";
import type { Auth } from "./auth.ts";
import type { LanguageModel } from "./port.ts";

/** A LanguageModel of the AI SDK, known by its structure: interface versions 2, 3 and 4. */
export interface AiSdkModel {
  readonly specificationVersion: "v2" | "v3" | "v4";
  /** As in `anthropic.messages`. */
  readonly provider: string;
  readonly modelId: string;
  doStream(options: never): PromiseLike<{ readonly stream: unknown }>;
}

const VERSIONS: readonly unknown[] = ["v2", "v3", "v4"];

/** Of any version: what is to be told about as a model of the AI SDK. */
export function looksLikeAiSdkModel(value: unknown): boolean {
  return typeof (value as { doStream?: unknown } | null | undefined)?.doStream === "function";
}

/** What keeps an object with `doStream` from being used; undefined when nothing does. */
export function aiSdkFault(
  value: unknown,
): { readonly key: string; readonly expected: string; readonly got: unknown } | undefined {
  const model = value as { readonly [K in keyof AiSdkModel]?: unknown };
  if (!VERSIONS.includes(model.specificationVersion)) {
    return { key: "specificationVersion", expected: "v2, v3 or v4", got: model.specificationVersion };
  }
  for (const key of ["provider", "modelId"] as const) {
    if (typeof model[key] !== "string" || model[key] === "")
      return { key, expected: "a text", got: model[key] };
  }
  return undefined;
}

/** What the adapter is made with. */
export interface AiSdkParts {
  readonly platform?: Pick<Platform, "clock" | "sha256">;
  /** Gets a sentence about what was left out or passed over, each once. */
  readonly warn?: ((line: string) => void) | undefined;
}

/** The adapter for models of the AI SDK, which is loaded when the first one is met. */
export interface AiSdkDoor {
  fromAiSdk(model: AiSdkModel, parts?: AiSdkParts): LanguageModel;
  /** Undefined for a provider that is not loaded by name. */
  namedAiSdkModel(
    name: string,
    parts: AiSdkParts & {
      readonly env: Readonly<Record<string, string | undefined>>;
      readonly auth?: Auth | undefined;
    },
  ): Promise<LanguageModel | undefined>;
}
