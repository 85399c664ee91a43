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

/** The components of an absolute path. Drive letters and back slashes of Windows paths count too. */
export function componentsOf(path: string): string[] {
  const windows = /^[A-Za-z]:[\\/]|^\\\\/.test(path);
  const parts = windows ? path.split(/[\\/]/) : path.split("/");
  return parts.every((part) => part !== "") ? parts : parts.filter((part) => part !== "");
}

export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]|^\\\\/.test(path);
}
