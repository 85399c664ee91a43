/** A host as rules compare it: lower case, no trailing dot, international names in their ASCII form. */
export function foldHost(host: string): string {
  const plain = host.trim().toLowerCase().replace(/\.+$/u, "");
  const name = asciiName(plain.includes(":") && !plain.startsWith("[") ? `[${plain}]` : plain);
  return (name ?? plain).replace(/\.+$/u, "");
}

function asciiName(host: string): string | undefined {
  if (/[\s/?#@\\]/u.test(host)) return undefined;
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return undefined;
  }
}

/** `domain:` rules: an exact host, `*.x` for sub-domains, `*` for every host. */
export interface HostPattern {
  readonly every: boolean;
  /** Only hosts below `host` (for deny and ask `host` itself as well). */
  readonly below: boolean;
  readonly host: string;
}

/** Reads the specifier of a WebFetch rule. */
export function parseHostPattern(specifier: string): HostPattern | { readonly error: string } {
  if (!specifier.startsWith("domain:")) return { error: "a WebFetch specifier reads `domain:<host>`" };
  const text = specifier.slice("domain:".length).trim();
  if (text === "") return { error: "`domain:` names no host" };
  if (text === "*") return { every: true, below: false, host: "" };
  const below = text.startsWith("*.");
  const host = below ? text.slice(2) : text;
  if (host === "" || host.includes("*"))
    return { error: "`*` may stand only as `*` or at the start as `*.`" };
  if (/[/\s@]/u.test(host)) return { error: "a domain holds no path, blank or user" };
  return { every: false, below, host: foldHost(host) };
}

/** @param host already folded. */
export function matchesHost(pattern: HostPattern, host: string, binds: boolean): boolean {
  if (pattern.every) return true;
  if (!pattern.below) return host === pattern.host;
  return host.endsWith(`.${pattern.host}`) || (binds && host === pattern.host);
}
