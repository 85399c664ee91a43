import { type Decoded, known, startOf } from "../words/decoded.ts";
import { withMore } from "./judgement.ts";

/** Options whose value is a command line, by sub-command. */
const OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ["rebase", /^(?:-x|--exec)$/],
  ["difftool", /^(?:-x|--extcmd)$/],
  ["grep", /^(?:-O|--open-files-in-pager)$/],
  ["filter-branch", /^--(?:env|tree|index|parent|msg|commit|tag-name|setup)-filter$/],
  ["fetch", /^--upload-pack$/],
  ["pull", /^--upload-pack$/],
  ["clone", /^(?:-u|--upload-pack)$/],
  ["ls-remote", /^(?:--exec|--upload-pack)$/],
  ["push", /^--(?:receive-pack|exec)$/],
  ["archive", /^--exec$/],
  ["send-email", /^--(?:sendmail-cmd|to-cmd|cc-cmd|header-cmd)$/],
]);

const NO_LINES: readonly never[] = Object.freeze([]);

/** Command lines that git hands to a shell; undefined where the text is not known. */
export function gitRuns(sub: string, words: readonly Decoded[]): readonly (string | undefined)[] {
  const options = OPTIONS.get(sub);
  if (options === undefined && sub !== "bisect" && sub !== "submodule") return NO_LINES;
  const lines: (string | undefined)[] = [];
  const more = (line: string | undefined): string | undefined =>
    sub === "rebase" || sub === "filter-branch" ? line : withMore(line);
  words.forEach((word, at) => {
    const text = known(word);
    if (options === undefined || text === undefined) return;
    const [, name = text, value] = /^(--[\w-]+)=(.*)$/s.exec(text) ?? /^(-[xOu])(.+)$/s.exec(text) ?? [];
    if (!options.test(name)) return;
    if (value !== undefined) lines.push(more(value));
    // A pager is named only behind `=` or without a blank.
    else if (sub !== "grep") lines.push(more(known(words[at + 1])));
  });
  const isOption = (word: Decoded): boolean => /^-/.test(startOf(word));
  const first = words.findIndex((word) => !isOption(word));
  const verb = known(words[first]);
  const behind = words.slice(first + 1);
  // Options stand in front of the command; those behind it are its own.
  const start = behind.findIndex((word) => !isOption(word));
  const rest = start < 0 ? [] : behind.slice(start);
  if ((sub === "bisect" && verb === "run") || (sub === "submodule" && verb === "foreach")) {
    const texts = rest.map((word) => known(word));
    const asWritten = rest.length > 1 && sub === "bisect";
    const spelt = asWritten ? rest.map((word) => word.raw) : texts;
    lines.push(texts.includes(undefined) ? undefined : spelt.join(" "));
  }
  return lines;
}
