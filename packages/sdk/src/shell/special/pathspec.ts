import { type Decoded, literal } from "../words/decoded.ts";

/** How many directories deep a `*` is followed. */
const DEPTH = 4;

/** The shell patterns that a quoted pathspec amounts to: git expands it itself, and its `*` goes through slashes. */
export function pathspec(word: Decoded): readonly Decoded[] {
  const text = word.value;
  if (word.glob || text === undefined || !/[*?[]/.test(text)) return [word];
  const pattern = (value: string): Decoded => ({ ...literal(word.raw, value), glob: true, single: false });
  const star = text.indexOf("*");
  if (star < 0) return [pattern(text)];
  const patterns: Decoded[] = [];
  let deeper = "*";
  for (let depth = 0; depth < DEPTH; depth += 1) {
    patterns.push(pattern(text.slice(0, star) + deeper + text.slice(star + 1)));
    deeper += "/*";
  }
  return patterns;
}
