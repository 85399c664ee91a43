import picomatch from "picomatch";

/** Whether a path relative to the searched root, with `/` between its parts, is meant. */
export type PathTest = (relativePath: string) => boolean;

/** Reads patterns that hold no bracket class or extended group as plain text where they are no pattern. */
const OPTIONS = { nonegate: true, strictBrackets: false } as const;

/** One pattern of Glob: hidden names match only where the pattern names them. */
export function matchGlob(pattern: string): PathTest {
  return picomatch(pattern, { ...OPTIONS, dot: false });
}

/**
 * The `glob` of Grep and the `ignore` of LS, as in a .gitignore line: without a slash it is
 * compared with the name alone, at any depth; hidden names count.
 */
export function matchNames(pattern: string): PathTest {
  const clean = pattern.replace(/^\.?\//, "").replace(/\/$/, "/**");
  const isName = !clean.includes("/") && !pattern.startsWith("/");
  const test = picomatch(clean, { ...OPTIONS, dot: true });
  return isName ? (path) => test(path.slice(path.lastIndexOf("/") + 1)) : (path) => test(path);
}

/** Parts of a comma list; commas inside braces belong to the pattern. */
export function splitPatterns(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < list.length; i++) {
    if (list[i] === "\\") i += 1;
    else if (list[i] === "{") depth += 1;
    else if (list[i] === "}") depth = Math.max(0, depth - 1);
    else if (list[i] === "," && depth === 0) {
      parts.push(list.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(list.slice(start));
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
