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
  if (takesValue(given) || given.length < 4) return given;
  return [...LONG_PATHS.keys(), ...AT_FILE].find((name) => name.startsWith(given)) ?? given;
}

/** Other options of `curl` and `wget` that take the next word. */
const LONG_VALUED: ReadonlySet<string> = new Set(
  "--request --user --user-agent --referer --max-time --connect-timeout --retry --retry-delay --retry-max-time --range --proxy --preproxy --proxy-user --noproxy --url --resolve --connect-to --interface --limit-rate --max-redirs --max-filesize --ciphers --tls-max --cert-type --key-type --pass --proto --proto-default --proto-redir --time-cond --speed-limit --speed-time --form-string --local-port --doh-url --dns-servers --ftp-port --quote --mail-from --mail-rcpt --oauth2-bearer --aws-sigv4 --socks4 --socks4a --socks5 --socks5-hostname --keepalive-time --telnet-option --trace-config --parallel-max --expect100-timeout --continue-at --postquote --prequote --abstract-unix-socket --tries --timeout --wait --level --accept --reject --domains --exclude-domains --include-directories --exclude-directories --header --post-data --body-data --method --user --password --http-user --http-password --ftp-user --ftp-password --base --cut-dirs --progress --quota --bind-address --dns-timeout --read-timeout --waitretry --compression --default-page --restrict-file-names --execute --use-askpass --regex-type --accept-regex --reject-regex --secure-protocol".split(
    " ",
  ),
);

/** The option takes the next word, whatever it is. */
export function takesValue(name: string): boolean {
  return LONG_VALUED.has(name) || LONG_PATHS.has(name) || AT_FILE.has(name);
}
