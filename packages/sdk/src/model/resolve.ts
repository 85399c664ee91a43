import { resolve } from "node:path";
import type { Platform } from "../platform/index.ts";
import { CastellanError } from "../protocol/index.ts";
import type { Auth } from "./auth.ts";
import { loadScript } from "./load-script.ts";
import type { LanguageModel } from "./port.ts";
import { scriptedModel } from "./scripted.ts";

/** What a model's name is looked up with. */
export interface ResolveModelParts {
  readonly platform: Platform;
  /** Absolute; where a script's relative path starts. */
  readonly cwd: string;
  /** Default: the platform's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: the provider's usual variable. */
  readonly auth?: Auth | undefined;
}

const SCRIPTED = "scripted:";
const FORMS = "an object with `id`, `provider` and `stream()`, or `scripted:<file>`";

/**
 * The model that an option names: an object of our port is itself, `scripted:<file>` is loaded, and nothing or
 * `auto` means the variable CASTELLAN_MODEL. The `id` of a scripted model holds the absolute path, so that it names
 * the same script from any directory.
 *
 * @throws `invalid_model`, telling which forms work.
 */
export async function resolveModel(value: unknown, parts: ResolveModelParts): Promise<LanguageModel> {
  if (value === undefined || value === "auto") return fromEnvironment(parts);
  if (typeof value === "string") return byName(value, "`model`", parts);
  return checkPort(value);
}

async function fromEnvironment(parts: ResolveModelParts): Promise<LanguageModel> {
  const name = (parts.env ?? parts.platform.env).CASTELLAN_MODEL;
  if (name !== undefined && name !== "" && name !== "auto") return byName(name, "CASTELLAN_MODEL", parts);
  throw new CastellanError("invalid_model", "No model is given.", {
    subject: "model",
    fix: `Give the option \`model\` (${FORMS}), or set the variable CASTELLAN_MODEL to scripted:<file>.`,
  });
}

async function byName(
  name: string,
  from: string,
  { platform, cwd }: ResolveModelParts,
): Promise<LanguageModel> {
  if (!name.startsWith(SCRIPTED)) {
    throw new CastellanError(
      "invalid_model",
      `${from} is ${JSON.stringify(name)}, which this release cannot reach.`,
      {
        subject: "model",
        fix: `Give ${FORMS}.`,
      },
    );
  }
  const path = name.slice(SCRIPTED.length);
  if (path.trim() === "") {
    throw new CastellanError("invalid_model", `${from} is "${name}" without a file.`, {
      subject: "model",
      fix: "Give scripted:<file>, a .json list of turns or a .js or .mjs module that exports one.",
    });
  }
  const file = resolve(cwd, path);
  const turns = await loadScript(file, platform);
  return scriptedModel(turns, { id: `${SCRIPTED}${file}`, position: "history", clock: platform.clock });
}

function checkPort(value: unknown): LanguageModel {
  const { id, provider, stream } = (value ?? {}) as Partial<Record<keyof LanguageModel, unknown>>;
  const missing: string[] = [];
  if (typeof id !== "string" || id === "") missing.push("`id` (a text)");
  if (typeof provider !== "string" || provider === "") missing.push("`provider` (a text)");
  if (typeof stream !== "function") missing.push("`stream(request, {signal})` (a method)");
  if (missing.length === 0) return value as LanguageModel;
  const foreign = typeof (value as { doStream?: unknown } | null)?.doStream === "function";
  const what = foreign
    ? "`model` is an AI SDK model, which this release cannot drive."
    : `\`model\` is no model: it lacks ${missing.join(", ")}.`;
  throw new CastellanError("invalid_model", what, { subject: "model", fix: `Give ${FORMS}.` });
}
