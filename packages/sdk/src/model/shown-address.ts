/** What a value is replaced with. */
const HIDDEN = "***";

/** Names in a query whose values tell which API is meant, and never a key. */
const HARMLESS: ReadonlySet<string> = new Set(["api-version"]);

/**
 * An address as it may stand in names, logs and errors: some servers take their key in the query, so the values there
 * are hidden. What stands behind a `#` is kept.
 */
export function shownAddress(address: string): string {
  const hash = address.indexOf("#");
  const [place, name] = hash < 0 ? [address, ""] : [address.slice(0, hash), address.slice(hash)];
  const at = place.indexOf("?");
  if (at < 0) return address;
  const parts = place.slice(at + 1).split("&");
  return `${place.slice(0, at)}?${parts.map(shownPart).join("&")}${name}`;
}

/** A text that should have been an address: user name and password are hidden too, wherever they may end. */
export function shownText(text: string): string {
  return shownAddress(
    text.replace(/(^|\/\/)[^?#/]*:[^?#]*@/, `$1${HIDDEN}@`).replace(/\/\/[^?#]*@/, `//${HIDDEN}@`),
  );
}

/** Whether an address is one that was shown: the true one is not known from it. */
export function isHidden(address: URL): boolean {
  return [...address.searchParams].some(
    ([name, value]) => value === HIDDEN || (name === HIDDEN && value === ""),
  );
}

function shownPart(part: string): string {
  const at = part.indexOf("=");
  if (part === "" || HARMLESS.has(part.slice(0, Math.max(0, at)).toLowerCase())) return part;
  return at < 0 ? HIDDEN : `${part.slice(0, at)}=${HIDDEN}`;
}
