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
  // Made at its size: what was pushed to has room for more, and many are kept.
  const parts: string[] = new Array(countComponents(path));
  let count = 0;
  let start = 0;
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", start)) {
    if (end > start) {
      parts[count] = path.slice(start, end);
      count += 1;
    }
    start = end + 1;
  }
  if (start < path.length) parts[count] = path.slice(start);
  return parts;
}

/** A component begins with each character that a slash, or nothing, stands before. */
function countComponents(path: string): number {
  let count = 0;
  let before = SLASH;
  for (let at = 0; at < path.length; at += 1) {
    const code = path.charCodeAt(at);
    if (before === SLASH && code !== SLASH) count += 1;
    before = code;
  }
  return count;
}

const WINDOWS = /^[A-Za-z]:[\\/]|^\\\\/;

export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || WINDOWS.test(path);
}
