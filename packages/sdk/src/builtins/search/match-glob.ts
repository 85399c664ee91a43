import { compilePart, type NameTest } from "../../workspace/index.ts";
import { expandBraces } from "./expand-braces.ts";

/** Whether a path relative to the searched root, with `/` between its parts, is meant. */
export type PathTest = (relativePath: string) => boolean;

type Part = NameTest | "**";

/**
 * One pattern of Glob: `*`, `?`, `[…]` inside a name, `**` over any number of directories, braces.
 * Hidden names match only where the pattern names them. Its time is bounded by pattern times path.
 *
 * A pattern with too many alternatives matches nothing; `isTooWide` tells.
 */
export function matchGlob(pattern: string): PathTest {
  return compile(pattern, false);
}

/** Whether the braces of a pattern stand for more than can be tried. */
export function isTooWide(pattern: string): boolean {
  return expandBraces(pattern) === undefined;
}

/**
 * The `glob` of Grep and the `ignore` of LS, as in a .gitignore line: without a slash it is
 * compared with the name alone, at any depth; hidden names count.
 */
export function matchNames(pattern: string): PathTest {
  const clean = pattern.replace(/^\.?\//, "").replace(/\/$/, "/**");
  const isName = !clean.includes("/") && !pattern.startsWith("/");
  const test = compile(clean, true);
  return isName ? (path) => test(path.slice(path.lastIndexOf("/") + 1)) : test;
}

function compile(pattern: string, dot: boolean): PathTest {
  // The same letters may be composed in the pattern and taken apart on the disk, or the other way round.
  const alternatives = (expandBraces(pattern.normalize("NFC")) ?? []).map((alternative) =>
    alternative
      .split("/")
      .filter((part) => part !== "" && part !== ".")
      .map((part): Part => (part === "**" ? "**" : compilePart(part, { hidden: dot }))),
  );
  return (path) => {
    const names = path.normalize("NFC").split("/");
    return alternatives.some((parts) => matchParts(parts, names, dot));
  };
}

/** From the end: `row[i]` says whether the parts from here on match the names from `i` on. */
function matchParts(parts: readonly Part[], names: readonly string[], dot: boolean): boolean {
  const end = names.length;
  let row = names.map(() => false);
  row.push(true);
  for (let p = parts.length - 1; p >= 0; p--) {
    const part = parts[p];
    const next = new Array<boolean>(end + 1).fill(false);
    // `a/**` means what lies in `a`, not `a` itself.
    if (part === "**" && p < parts.length - 1) next[end] = row[end] ?? false;
    for (let i = end - 1; i >= 0; i--) {
      const name = names[i] ?? "";
      if (part === "**") {
        const mayPass = dot || !name.startsWith(".");
        next[i] = (row[i] ?? false) || (mayPass && ((next[i + 1] ?? false) || (row[i + 1] ?? false)));
      } else if (part !== undefined) {
        next[i] = (row[i + 1] ?? false) && part(name);
      }
    }
    row = next;
  }
  return row[0] ?? false;
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
