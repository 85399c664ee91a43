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
  const [only] = aim;
  const at =
    aim.length === 1
      ? filled.findIndex(({ line }) => line.includes(only ?? ""))
      : indexOfRun(
          filled.map(({ line }) => line),
          aim,
        );
  return filled[at]?.number;
}

/** Where `run` stands whole in `lines`, or -1. One pass (Knuth, Morris, Pratt): a file of like lines costs no more. */
function indexOfRun(lines: readonly string[], run: readonly string[]): number {
  const back = [0];
  let same = 0;
  for (let at = 1; at < run.length; at += 1) {
    while (same > 0 && run[at] !== run[same]) same = back[same - 1] ?? 0;
    if (run[at] === run[same]) same += 1;
    back.push(same);
  }
  same = 0;
  for (const [at, line] of lines.entries()) {
    while (same > 0 && line !== run[same]) same = back[same - 1] ?? 0;
    if (line === run[same]) same += 1;
    if (same === run.length) return at - run.length + 1;
  }
  return -1;
}

const squeeze = (line: string): string => line.replace(/\s+/g, "");

const fold = (line: string): string =>
  squeeze(line.normalize("NFKC").toLowerCase())
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟«»]/g, '"');
