import { toUnixEndings } from "../files/line-endings.ts";
import { splitLines } from "../files/number-lines.ts";

/** Why `oldText` was not found, as far as that can be told. Starts with a blank, or is empty. */
export function explainNoMatch(text: string, oldText: string): string {
  const lines = splitLines(toUnixEndings(text));
  const wanted = splitLines(toUnixEndings(oldText));
  if (wanted.length > 0 && wanted.every((line) => /^\s*\d+\t/.test(line))) {
    return " It begins with the line numbers that Read shows; they are not part of the file.";
  }
  const spaced = findLines(lines, wanted, squeeze);
  if (spaced !== undefined) {
    return ` The text at line ${spaced} differs from it only in blanks or tabs: copy it exactly from Read.`;
  }
  const folded = findLines(lines, wanted, fold);
  if (folded !== undefined) {
    return ` The text at line ${folded} differs from it only in letter case, quotation marks or Unicode form: copy it exactly from Read.`;
  }
  const first = wanted.find((line) => line.trim() !== "");
  const start = first === undefined ? -1 : lines.findIndex((line) => squeeze(line) === squeeze(first));
  if (start !== -1 && wanted.length > 1) {
    return ` Its first line stands at line ${start + 1}, but what follows is different.`;
  }
  return "";
}

function findLines(
  lines: readonly string[],
  wanted: readonly string[],
  same: (line: string) => string,
): number | undefined {
  const aim = wanted.map(same).filter((line) => line !== "");
  const have = lines.map((line, index) => ({ line: same(line), number: index + 1 }));
  const filled = have.filter(({ line }) => line !== "");
  if (aim.length === 0) return undefined;
  const at = filled.findIndex((_, start) =>
    aim.every((line, index) =>
      aim.length === 1
        ? (filled[start + index]?.line.includes(line) ?? false)
        : filled[start + index]?.line === line,
    ),
  );
  return filled[at]?.number;
}

const squeeze = (line: string): string => line.replace(/\s+/g, "");

const fold = (line: string): string =>
  squeeze(line.normalize("NFKC").toLowerCase())
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟«»]/g, '"');
