import { type Decoded, known, literal, startOf, unknown } from "../words/decoded.ts";
import { type Judgement, judgementOf, type TouchedPath, withMore } from "./judgement.ts";
import { takeAtFile } from "./network-files.ts";
import {
  AT_FILE,
  CURL_SHORT,
  fullName,
  LONG_PATHS,
  takesValue,
  WGET_SHORT,
  WGET_VALUED,
} from "./network-options.ts";
import { addUrl, hostOfPattern, looksLikeUrl } from "./url.ts";

const CURL_VALUED = "AbcCdDeEFHKmoPQrtTuUwxXyYz";
const LONG_ALONE =
  /^--(?:silent|show-error|fail|fail-with-body|location|insecure|head|include|verbose|compressed|remote-name|remote-name-all|remote-header-name|no-\w[\w-]*|http[\w.]*|ipv[46]|tlsv[\w.]*|get|globoff|progress-bar|quiet|continue|spider|recursive|mirror|parallel|create-dirs|version|help|netrc|netrc-optional|raw|path-as-is|next|negotiate|basic|digest|anyauth|post30\d|location-trusted|append|ssl|ssl-reqd|inet[46]-only|timestamping|server-response|debug|background|page-requisites|convert-links)$/;

/** `curl` and `wget`: hosts by name, and the files they send, fetch into and read. */
export function judgeNetwork(program: string, words: readonly Decoded[]): Judgement {
  const curl = program === "curl";
  const paths: TouchedPath[] = [];
  const hosts: (string | undefined)[] = [];
  const valued = curl ? CURL_VALUED : WGET_VALUED;
  const shorts = curl ? CURL_SHORT : WGET_SHORT;
  let anyProtocol = false;
  const take = (name: string, value: Decoded): void => {
    const access = shorts.get(name) ?? LONG_PATHS.get(name);
    if (access !== undefined) paths.push({ access, word: globbed(name, value) });
    if (name === "--proto-default") anyProtocol = true;
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
      if (word.value === undefined && /^(?:file:|[^:]*$)/i.test(startOf(word)))
        paths.push({ access: "read", word: unknown(word.raw) });
      continue;
    }
    if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const given = equals < 0 ? text : text.slice(0, equals);
      // `--head` is an option of its own, not short for `--header`.
      const name = curl && LONG_ALONE.test(given) ? given : fullName(given);
      if (equals >= 0) take(name, literal(word.raw, text.slice(equals + 1)));
      else if (!LONG_ALONE.test(name)) {
        const value = words[at + 1];
        if (value !== undefined) {
          take(name, value);
          // An option that is not in the table may stand alone: its neighbour is judged as an address too.
          if (looksLikeUrl(value) || !takesValue(name)) addUrl(value, hosts, paths);
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
  // An address without a protocol is then whatever that option says, a file too.
  if (anyProtocol) paths.push({ access: "read", word: unknown("--proto-default") });
  if (writesHere) paths.push({ access: "write", word: literal(".") });
  return judgementOf({
    paths,
    hosts: hosts.length < 2 ? hosts : [...new Set(hosts)],
    lines: curl ? undefined : askers(words),
  });
}

/** `curl -T` expands lists and ranges by itself. */
function globbed(name: string, value: Decoded): Decoded {
  const expands = name === "-T" || name === "--upload-file";
  return expands && /[{[]/.test(known(value) ?? "") ? unknown(value.raw) : value;
}

/** A program that `wget` asks for a password. */
function askers(words: readonly Decoded[]): readonly (string | undefined)[] {
  return words.flatMap((word) => {
    const found = /^(?:--use-askpass|(?:-e|--execute=)?\s*use_?askpass\s*)=\s*(.*)$/is.exec(
      known(word) ?? "",
    );
    return found === null ? [] : [withMore(found[1])];
  });
}
