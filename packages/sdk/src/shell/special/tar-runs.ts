import { type Decoded, known } from "../words/decoded.ts";
import { withMore } from "./judgement.ts";

const NAMES: readonly string[] = [
  "--use-compress-program",
  "--to-command",
  "--info-script",
  "--new-volume-script",
  "--rmt-command",
  "--rsh-command",
  "--checkpoint-action",
];

/** Command lines that options of `tar` run; undefined where the text is not known. */
export function tarRuns(words: readonly Decoded[]): readonly (string | undefined)[] {
  const lines: (string | undefined)[] = [];
  words.forEach((word, at) => {
    const text = known(word);
    if (text === undefined) return;
    const next = (): string | undefined => known(words[at + 1]);
    const short = /^-[a-zA-Z]*?[IF](.*)$/s.exec(text);
    if (short !== null && !text.startsWith("--")) lines.push(withMore(short[1] === "" ? next() : short[1]));
    if (!text.startsWith("--") || text.length < 5) return;
    const [, given = text, value] = /^(--[\w-]+)=(.*)$/s.exec(text) ?? [];
    const name = NAMES.find((each) => each.startsWith(given));
    if (name === undefined) return;
    const own = value ?? next();
    if (name === "--use-compress-program") lines.push(withMore(own));
    else if (name !== "--checkpoint-action") lines.push(own);
    else if (own === undefined || /^exec=/.test(own)) lines.push(own?.slice(5));
  });
  return lines;
}
