import { CastellanError } from "../protocol/index.ts";
import type { Auth } from "./auth.ts";
import { baseURL, cleanBase } from "./base-url.ts";
import { type Env, type Found, findKey } from "./find-key.ts";
import type { LanguageModel } from "./port.ts";
import { PROVIDERS, type WireApi } from "./providers.ts";
import { shownAddress } from "./shown-address.ts";
import {
  isLoopback,
  isReasoningModel,
  type WireFormatName,
  type WirePlatform,
  wireModel,
} from "./wire/index.ts";

export interface NamedModelParts {
  readonly platform: WirePlatform;
  readonly env: Env;
  /** Wins over every variable. */
  readonly auth?: Auth | undefined;
}

/** A model at an address of its own. */
export interface ModelAddress {
  /** `http(s)`, as in `http://127.0.0.1:8000/v1`; may end in the path of an API, which tells its format then. */
  readonly baseURL: string;
  /** The model's name on that server. */
  readonly model: string;
  /** Default: told by the address, else `openai-chat`. */
  readonly api?: Exclude<WireApi, "openai">;
}

const FORMATS: readonly string[] = ["anthropic", "openai-chat", "openai-responses"];
const PATHS: Readonly<Record<WireFormatName, string>> = {
  anthropic: "/messages",
  "openai-chat": "/chat/completions",
  "openai-responses": "/responses",
};

const STALL_MS = 60_000;
const LOCAL_STALL_MS = 600_000;

/**
 * The model of a provider that is known by name.
 *
 * @throws `missing_key`, naming the variables; `invalid_option` for an address in a variable that is none.
 */
export function providerModel(name: string, model: string, parts: NamedModelParts): LanguageModel {
  const provider = PROVIDERS.get(name);
  if (provider === undefined) throw new CastellanError("internal", `There is no provider "${name}".`);
  const base = baseURL(provider, parts.env);
  const { host } = new URL(base);
  const isOwn = host === new URL(provider.baseURL).host;
  const isLocal = provider.local === true;
  const key = findKey(name, provider.keys, isLocal || isLoopback(base), parts);
  const meta = provider.meta ?? name;
  return build(parts, {
    id: `${name}/${model}`,
    model,
    format: formatOf(provider.api, model, isOwn),
    // What another server made is not for the provider itself, and the other way round.
    meta: isOwn || isLocal ? meta : `${meta}@${host}`,
    base,
    key,
    isLocal,
    keyFrom: key?.from ?? provider.keys[0]?.variable,
  });
}

/**
 * The model at an address. A key of a provider is never sent to an address that is not that provider's.
 *
 * @throws `invalid_model` for an address that is none; `missing_key` where the address is a provider's.
 */
export function addressModel(address: ModelAddress, parts: NamedModelParts): LanguageModel {
  const base = cleanBase(address.baseURL, "invalid_model", "`model`");
  const { pathname } = new URL(base);
  const told = FORMATS.find((format) => pathname.endsWith(PATHS[format as WireFormatName])) as
    | WireFormatName
    | undefined;
  const format = address.api ?? told ?? "openai-chat";
  if (!FORMATS.includes(format)) {
    throw new CastellanError("invalid_model", `\`model.api\` is ${JSON.stringify(format)}.`, {
      subject: "model",
      fix: `Give one of ${FORMATS.join(", ")}.`,
    });
  }
  const { host, origin } = new URL(base);
  const known = [...PROVIDERS].find(
    ([, provider]) => new URL(provider.baseURL).origin === origin && provider.local !== true,
  );
  const isOptional = known === undefined || isLoopback(base);
  const key = findKey(known?.[0] ?? host, known?.[1].keys ?? [], isOptional, parts);
  return build(parts, {
    id: `${shownAddress(address.baseURL.split("#")[0] ?? "")}#${address.model}`,
    model: address.model,
    format,
    meta: known?.[1].meta ?? known?.[0] ?? host,
    base,
    key,
    isLocal: isLoopback(base),
    keyFrom: key?.from,
  });
}

function formatOf(api: WireApi, model: string, isOwn: boolean): WireFormatName {
  if (api !== "openai") return api;
  return isOwn && isReasoningModel(model) ? "openai-responses" : "openai-chat";
}

interface Build {
  readonly id: string;
  readonly model: string;
  readonly format: WireFormatName;
  readonly meta: string;
  readonly base: string;
  readonly key: Found | undefined;
  readonly isLocal: boolean;
  readonly keyFrom: string | undefined;
}

function build({ platform }: NamedModelParts, { format, key, ...what }: Build): LanguageModel {
  const { host, hostname } = new URL(what.base);
  const isOpenAI = hostname === "api.openai.com";
  const stall = what.isLocal ? LOCAL_STALL_MS : STALL_MS;
  const endpoint = {
    id: what.id,
    model: what.model,
    provider: what.meta,
    url: postURL(what.base, format),
    auth: key === undefined ? {} : authHeader(key, format),
    keyName: what.keyFrom ?? "the option `auth`",
    limitKey: `${host} ${platform.sha256(`${what.base} ${key?.secret ?? ""}`).slice(0, 16)}`,
    firstByteMs: stall,
    stallMs: stall,
    dialect: {
      openai: isOpenAI,
      pdf: isOpenAI || hostname === "openrouter.ai",
      strictTools: isOpenAI || hostname === "openrouter.ai",
    },
  };
  return wireModel(format, endpoint, platform);
}

function postURL(base: string, format: WireFormatName): string {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, "");
  if (path.endsWith(PATHS[format])) return base;
  // The usual variable of this provider holds its address without a version.
  const versioned = format !== "anthropic" || /\/v\d+$/.test(path) ? path : `${path}/v1`;
  url.pathname = `${versioned}${PATHS[format]}`;
  return url.href;
}

function authHeader({ secret, scheme }: Found, format: WireFormatName): Readonly<Record<string, string>> {
  if (format === "anthropic" && scheme === "apiKey") return { "x-api-key": secret };
  return { authorization: `Bearer ${secret}` };
}
