/** The path from where the line starts, for each directory that it may start in. Undefined: not known. */
export function placesOf(text: string, from: readonly string[]): readonly string[];
export function placesOf(text: string, from: readonly string[] | undefined): readonly string[] | undefined;
export function placesOf(text: string, from: readonly string[] | undefined): readonly string[] | undefined {
  if (isWhole(text)) return [text];
  return from?.map((base) => (base === "" ? text : `${base}/${text}`));
}

/** Not relative to any directory. */
export function isWhole(path: string): boolean {
  if (path.charCodeAt(0) === SLASH) return true;
  return path.charCodeAt(0) === TILDE && (path.length === 1 || path.charCodeAt(1) === SLASH);
}

const SLASH = 47;
const TILDE = 126;
