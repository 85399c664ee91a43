/** Text without letter case and in one Unicode form: how deny, ask and safety compare paths. */
export function foldPath(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is "plain ASCII".
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return text.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

/** One Unicode form, letter case kept: how allow compares paths on a disk that tells case apart. */
export function unifyPath(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is "plain ASCII".
  return /^[\x00-\x7f]*$/.test(text) ? text : text.normalize("NFC");
}

const SLASH = 47;

/** The components of an absolute path. Drive letters and back slashes of Windows paths count too. */
export function componentsOf(path: string): string[] {
  if (path.charCodeAt(0) !== SLASH && WINDOWS.test(path))
    return path.split(/[\\/]/).filter((part) => part !== "");
  const parts: string[] = [];
  let start = 0;
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", start)) {
    if (end > start) parts.push(path.slice(start, end));
    start = end + 1;
  }
  if (start < path.length) parts.push(path.slice(start));
  // What was pushed to has room for more, and many are kept.
  return parts.slice();
}

const WINDOWS = /^[A-Za-z]:[\\/]|^\\\\/;

export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || WINDOWS.test(path);
}
