import { DIRECTORY_MARK, HOME_MARK } from "../characters.ts";
import { type Decoded, known, literal, startOf, unknown } from "../words/decoded.ts";
import type { TouchedPath } from "./judgement.ts";

/** A path that nothing takes apart any further. */
const PLAIN_FILE = new RegExp(`^[/${HOME_MARK}${DIRECTORY_MARK}][^%{}[\\]?#]*$`);

export function looksLikeUrl(word: Decoded): boolean {
  return /^(?:https?|ftp|file):/i.test(startOf(word));
}

export function addUrl(word: Decoded, hosts: (string | undefined)[], paths: TouchedPath[]): void {
  const text = known(word);
  if (text === undefined) {
    if (/^file:/i.test(startOf(word))) paths.push({ access: "read", word: unknown(word.raw) });
    hosts.push(hostOfPattern(word));
    return;
  }
  const file = /^file:(.*)$/is.exec(text)?.[1];
  if (file !== undefined) {
    const path = file.replace(/^\/\/(?:localhost(?=\/)|127\.0\.0\.1(?=\/))?/i, "");
    const plain = PLAIN_FILE.test(path);
    paths.push({ access: "read", word: plain ? literal(word.raw, path) : unknown(word.raw) });
    return;
  }
  // `--url @list`: the addresses stand in a file.
  if (text.startsWith("@")) paths.push({ access: "read", word: literal(word.raw, text.slice(1)) });
  hosts.push(hostOf(text));
}

/** With an unknown tail the host is still known when its end is. */
export function hostOfPattern(word: Decoded): string | undefined {
  const start = /^([a-z]+:\/\/[^/?#]+[/?#])/i.exec(startOf(word))?.[1];
  return start === undefined || word.pieces === undefined ? undefined : hostOf(start);
}

/** The host a URL names, or undefined where programs may read it differently. */
export function hostOf(url: string): string | undefined {
  const rest = url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "");
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? "";
  const at = authority.lastIndexOf("@");
  // A second `@`, a backslash or a pattern is read differently by different programs.
  if (/[\\{}\s%]/.test(authority) || authority.indexOf("@") !== at) return undefined;
  const host = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d*)?$/i.exec(authority.slice(at + 1))?.[1];
  return host?.toLowerCase().replace(/\.$/, "");
}
