import { toUnixEndings } from "../files/line-endings.ts";

/**
 * A file's text for the built-in search, or undefined when it is binary: as ripgrep sees it, UTF-16
 * only with a byte order mark, anything else as UTF-8 with replacement characters.
 */
export function searchableText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decode("utf-16le", bytes);
  if (first === 0xfe && second === 0xff) return decode("utf-16be", bytes);
  return bytes.includes(0) ? undefined : decode("utf-8", bytes);
}

/** Whether the beginning of a file says that the whole is binary. */
export function looksBinary(start: Uint8Array): boolean {
  return searchableText(start) === undefined;
}

const decode = (encoding: string, bytes: Uint8Array): string =>
  toUnixEndings(new TextDecoder(encoding).decode(bytes));
