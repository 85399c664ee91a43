/** Options of `curl` and `wget` whose value is a file. */
export const LONG_PATHS: ReadonlyMap<string, "read" | "write"> = new Map([
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
  ["--capath", "read"],
  ["--crlfile", "read"],
  ["--pubkey", "read"],
  ["--pinnedpubkey", "read"],
  ["--proxy-cert", "read"],
  ["--proxy-key", "read"],
  ["--proxy-cacert", "read"],
  ["--unix-socket", "read"],
  ["--random-file", "read"],
  ["--ca-certificate", "read"],
  ["--ca-directory", "read"],
  ["--certificate", "read"],
  ["--private-key", "read"],
  ["--crl-file", "read"],
  ["--warc-file", "write"],
  ["--hsts-file", "write"],
  ["--rejected-log", "write"],
  ["--trace", "write"],
  ["--trace-ascii", "write"],
  ["--etag-save", "write"],
  ["--etag-compare", "read"],
  ["--stderr", "write"],
  ["--libcurl", "write"],
  ["--hsts", "write"],
  ["--alt-svc", "write"],
]);
/** Options of `curl` whose value may name a file behind an `@`. */
export const AT_FILE: ReadonlySet<string> = new Set(
  "-d --data --data-ascii --data-binary --data-raw --data-urlencode --json --url-query -F --form -H --header -w --write-out -b --cookie --proxy-header --variable --expand-data".split(
    " ",
  ),
);
export const CURL_SHORT: ReadonlyMap<string, "read" | "write"> = new Map([
  ["-T", "read"],
  ["-K", "read"],
  ["-c", "write"],
  ["-D", "write"],
  ["-o", "write"],
  ["-E", "read"],
]);
export const WGET_SHORT: ReadonlyMap<string, "read" | "write"> = new Map([
  ["-O", "write"],
  ["-o", "write"],
  ["-a", "write"],
  ["-P", "write"],
  ["-i", "read"],
]);
export const WGET_VALUED = "OoaPitTwQUeAlDIXYBG";

/** The option that a shortened `--name` stands for. */
export function fullName(given: string): string {
  if (LONG_PATHS.has(given) || AT_FILE.has(given) || given.length < 4) return given;
  return [...LONG_PATHS.keys(), ...AT_FILE].find((name) => name.startsWith(given)) ?? given;
}
