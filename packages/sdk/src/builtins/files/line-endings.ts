export type LineEnding = "\n" | "\r\n";

/** The ending that most lines of `text` have; undefined when it has no line ending at all. */
export function mainLineEnding(text: string): LineEnding | undefined {
  let all = 0;
  let windows = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    all += 1;
    if (at > 0 && text[at - 1] === "\r") windows += 1;
  }
  if (all === 0) return undefined;
  return windows * 2 > all ? "\r\n" : "\n";
}

/** `\r\n` becomes `\n`; a lone `\r` stays. */
export function toUnixEndings(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

/** Every line ending of `text` becomes `ending`. */
export function withEndings(text: string, ending: LineEnding): string {
  const unix = toUnixEndings(text);
  return ending === "\n" ? unix : unix.replaceAll("\n", "\r\n");
}
