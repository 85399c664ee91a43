/** A specifier's text with its wildcards marked: literal pieces around each free `*`. */
export function piecesOf(specifier: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (let index = 0; index < specifier.length; index += 1) {
    const char = specifier[index] ?? "";
    const next = specifier[index + 1];
    if (char === "\\" && next !== undefined && ESCAPED.has(next)) {
      piece += next;
      index += 1;
    } else if (char === "*") {
      pieces.push(piece);
      piece = "";
    } else {
      piece += char;
    }
  }
  pieces.push(piece);
  return pieces;
}

const ESCAPED: ReadonlySet<string> = new Set(["(", ")", "\\", "*"]);

/** The specifier text that means exactly `text`, every character literal. */
export function escapeSpecifier(text: string): string {
  return text.replace(/[\\()*]/gu, (char) => `\\${char}`);
}

/** The path pattern, as a specifier, that names exactly `path`: gitignore's own wildcards escaped too. */
export function escapePathSpecifier(path: string): string {
  return path.replace(/[\\()*?[\]]/gu, (char) => `\\${char}`);
}
