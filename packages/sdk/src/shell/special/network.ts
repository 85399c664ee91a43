import { type Decoded, known, literal, unknown } from "../decoded.ts";
import type { Judgement, TouchedPath } from "./judgement.ts";

const CURL_VALUED = "AbcCdDeEFHKmoPQrtTuUwxXyYz";
const LONG_PATHS: ReadonlyMap<string, "read" | "write"> = new Map([
  ["--upload-file", "read"],
  ["--config", "read"],
  ["--cookie-jar", "write"],
  ["--dump-header", "write"],
  ["--output", "write"],
  ["--output-dir", "write"],
  ["--output-document", "write"],
  ["--output-file", "write"],
  ["--append-output", "write"],
  ["--directory-prefix", "write"],
  ["--input-file", "read"],
  ["--post-file", "read"],
  ["--body-file", "read"],
  ["--load-cookies", "read"],
  ["--save-cookies", "write"],
  ["--netrc-file", "read"],
  ["--cert", "read"],
  ["--key", "read"],
  ["--cacert", "read"],
  ["--trace", "write"],
  ["--trace-ascii", "write"],
  ["--etag-save", "write"],
  ["--etag-compare", "read"],
  ["--stderr", "write"],
]);
const AT_FILE: ReadonlySet<string> = new Set(
  "-d --data --data-ascii --data-binary --data-raw --data-urlencode --json --url-query -F --form -H --header -w --write-out -b --cookie --proxy-header --variable --expand-data".split(
    " ",
  ),
);
const CURL_SHORT: ReadonlyMap<string, "read" | "write"> = new Map([
  ["-T", "read"],
  ["-K", "read"],
  ["-c", "write"],
  ["-D", "write"],
  ["-o", "write"],
  ["-E", "read"],
]);
const WGET_SHORT: ReadonlyMap<string, "read" | "write"> = new Map([
  ["-O", "write"],
  ["-o", "write"],
  ["-a", "write"],
  ["-P", "write"],
  ["-i", "read"],
]);
const WGET_VALUED = "OoaPitTwQUeAlDIXYBG";
const LONG_ALONE =
  /^--(?:silent|show-error|fail|fail-with-body|location|insecure|head|include|verbose|compressed|remote-name|remote-name-all|remote-header-name|no-\w[\w-]*|http[\w.]*|ipv[46]|tlsv[\w.]*|get|globoff|progress-bar|quiet|continue|spider|recursive|mirror|parallel|create-dirs|version|help|netrc|netrc-optional|raw|path-as-is|negotiate|basic|digest|anyauth|post30\d|location-trusted|append|ssl|ssl-reqd|inet[46]-only|timestamping|server-response|debug|background|page-requisites|convert-links)$/;

/** `curl` and `wget`: hosts by name, and the files they send, fetch into and read. */
export function judgeNetwork(program: string, words: readonly Decoded[]): Judgement {
  const curl = program === "curl";
  const paths: TouchedPath[] = [];
  const hosts: (string | undefined)[] = [];
  const valued = curl ? CURL_VALUED : WGET_VALUED;
  const shorts = curl ? CURL_SHORT : WGET_SHORT;
  const take = (name: string, value: Decoded): void => {
    const access = shorts.get(name) ?? LONG_PATHS.get(name);
    if (access !== undefined) paths.push({ access, word: value });
    if (name === "--config" || name === "--input-file" || (name === "-K" && curl) || (name === "-i" && !curl))
      hosts.push(undefined);
    if (AT_FILE.has(name) && curl) takeAtFile(name, value, paths);
    if (name === "--url") addUrl(value, hosts, paths);
    if (/^(?:-x|--proxy|--preproxy|--socks.*|--connect-to|--resolve|--doh-url)$/.test(name) && curl)
      hosts.push(undefined);
  };
  let writesHere = !curl;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const text = known(word);
    if (text === undefined) {
      hosts.push(hostOfPattern(word));
      if (word.value === undefined && !(word.pieces[0] ?? "").includes(":"))
        paths.push({ access: "read", word: unknown(word.raw) });
      continue;
    }
    if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const name = equals < 0 ? text : text.slice(0, equals);
      if (equals >= 0) take(name, literal(word.raw, text.slice(equals + 1)));
      else if (!LONG_ALONE.test(name)) {
        const value = words[at + 1];
        if (value !== undefined) {
          take(name, value);
          // An option that is not in the table may stand alone: its neighbour is judged as an address too.
          if (looksLikeUrl(value)) addUrl(value, hosts, paths);
          at += 1;
        }
      }
      if (/^--remote-name/.test(name)) writesHere = true;
      continue;
    }
    if (text.startsWith("-") && text.length > 1) {
      for (let letter = 1; letter < text.length; letter += 1) {
        const c = text[letter] ?? "";
        if (c === "O" && curl) writesHere = true;
        if (!valued.includes(c)) continue;
        const attached = text.slice(letter + 1);
        const value = attached === "" ? words[at + 1] : literal(word.raw, attached);
        if (attached === "") at += 1;
        if (value !== undefined) {
          take(`-${c}`, value);
          if (looksLikeUrl(value)) addUrl(value, hosts, paths);
        }
        break;
      }
      continue;
    }
    addUrl(word, hosts, paths);
  }
  if (writesHere) paths.push({ access: "write", word: literal(".") });
  return { readOnly: false, editLike: false, paths, hosts: [...new Set(hosts)] };
}

function takeAtFile(name: string, value: Decoded, paths: TouchedPath[]): void {
  const text = known(value);
  if (text === undefined) {
    const start = value.pieces[0] ?? "";
    if (start === "" || /[@<]/.test(start)) paths.push({ access: "read", word: unknown(value.raw) });
    return;
  }
  if (name === "-b" || name === "--cookie") {
    if (!text.includes("=")) paths.push({ access: "read", word: literal(value.raw, text) });
    return;
  }
  for (const found of text.matchAll(/(?:^|=|;)[@<]?"?[@<]([^;,"]+)|^[\w.-]*@(.+)$/g)) {
    const path = found[1] ?? found[2];
    if (path !== undefined && path !== "-") paths.push({ access: "read", word: literal(value.raw, path) });
  }
}

function looksLikeUrl(word: Decoded): boolean {
  return /^(?:https?|ftp|file):/i.test(word.pieces[0] ?? "");
}

function addUrl(word: Decoded, hosts: (string | undefined)[], paths: TouchedPath[]): void {
  const text = known(word);
  if (text === undefined) {
    hosts.push(hostOfPattern(word));
    return;
  }
  const file = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(text)?.[1];
  if (file !== undefined) {
    paths.push({ access: "read", word: /[%{[]/.test(file) ? unknown(word.raw) : literal(word.raw, file) });
    return;
  }
  hosts.push(hostOf(text));
}

/** With an unknown tail the host is still known when its end is. */
function hostOfPattern(word: Decoded): string | undefined {
  const start = /^([a-z]+:\/\/[^/?#]+[/?#])/i.exec(word.pieces[0] ?? "")?.[1];
  return start === undefined || word.pieces.length === 1 ? undefined : hostOf(start);
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
