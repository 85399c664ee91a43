import { CastellanError } from "../protocol/index.ts";
import type { Env } from "./find-key.ts";
import type { Provider } from "./providers.ts";
import { isHidden, shownText } from "./shown-address.ts";

/**
 * Where a provider is: at the address in its variable, else at its own.
 *
 * @throws `invalid_option` for an address that is none.
 */
export function baseURL(provider: Provider, env: Env): string {
  for (const from of provider.baseVariables) {
    const given = env[from]?.trim();
    if (!given) continue;
    return cleanBase(from === "OLLAMA_HOST" ? ollamaURL(given) : given, "invalid_option", from);
  }
  return provider.baseURL;
}

/** OLLAMA_HOST is what the server listens on: often without a scheme or a port, or every address of the machine. */
function ollamaURL(host: string): string {
  const url = /^https?:\/\//.test(host) ? host : `http://${host.startsWith(":") ? `127.0.0.1${host}` : host}`;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return url;
  if (parsed.hostname === "0.0.0.0" || parsed.hostname === "[::]") parsed.hostname = "127.0.0.1";
  if (parsed.port === "" && parsed.protocol === "http:" && !/:80\/?$/.test(host)) parsed.port = "11434";
  return parsed.pathname === "/" ? `${parsed.origin}/v1` : parsed.href;
}

/** An address without slashes at its end. @throws the code for what is no address, and for one with a password in it. */
export function cleanBase(given: string, code: "invalid_model" | "invalid_option", from: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new CastellanError(
      code,
      `${from} holds ${JSON.stringify(shownText(given))}, which is no http or https address.`,
      {
        subject: from,
        fix: "Give an address such as http://127.0.0.1:8000/v1.",
      },
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new CastellanError(code, `The address in ${from} holds a user name or a password.`, {
      subject: from,
      fix: "Give the address without them, and the key in the option `auth`.",
    });
  }
  if (isHidden(url)) {
    const shown = shownText(given);
    throw new CastellanError(code, `The address in ${from}, ${shown}, has *** in place of what was hidden.`, {
      subject: from,
      fix: "Give the address whole.",
    });
  }
  url.hash = "";
  return url.href.replace(/\/+$/, "");
}
