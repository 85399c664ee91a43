import { type Decoded, known, literal, unknown } from "../words/decoded.ts";
import { type Judgement, judgementOf, type TouchedPath } from "./judgement.ts";

const FILES = /^(?:open|gopen|file|create|creat|pipe|fifo)$/i;
const SOCKETS = /^(?:unix(?:-\w+)?|local(?:-\w+)?|abstract(?:-\w+)?)$/i;
const RUNS = /^(?:exec|system|shell)$/i;

/** `socat`: both its addresses may be files, sockets or commands. */
export function judgeSocat(words: readonly Decoded[]): Judgement {
  const paths: TouchedPath[] = [];
  const lines: (string | undefined)[] = [];
  const touch = (word: Decoded): void => {
    paths.push({ access: "read", word }, { access: "write", word });
  };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    const text = known(word);
    if (word === undefined) break;
    if (text === undefined) {
      touch(unknown(word.raw));
      lines.push(undefined);
      continue;
    }
    if (/^-(?:lf|r|R|L|W)$/.test(text)) {
      at += 1;
      const file = words[at];
      if (file !== undefined) paths.push({ access: "write", word: file });
      continue;
    }
    if (/^-(?:lf|[rRLW])./.test(text)) {
      paths.push({ access: "write", word: literal(word.raw, text.replace(/^-(?:lf|[rRLW])/, "")) });
      continue;
    }
    if (text.startsWith("-")) continue;
    for (const each of text.split("!!")) addAddress(word, each, touch, lines, paths);
  }
  return judgementOf({ paths, lines });
}

function addAddress(
  word: Decoded,
  address: string,
  touch: (word: Decoded) => void,
  lines: (string | undefined)[],
  paths: TouchedPath[],
): void {
  const [, kind = "", rest = ""] = /^([\w-]+):(.*)$/s.exec(address) ?? [];
  // Options behind commas may name files: keys, locks, links.
  for (const found of address.matchAll(
    /,(?:cert|certificate|key|cafile|link|lockfile|waitlock|pf|chroot)=([^,]+)/g,
  ))
    paths.push({ access: "write", word: literal(word.raw, found[1] ?? "") });
  if (RUNS.test(kind)) {
    lines.push(
      rest.includes("\\")
        ? undefined
        : rest.replace(/,(?:pty|stderr|setsid|ctty|nofork|pipes|fdin=\d+|fdout=\d+|su=\w+|echo=\d)\b/g, ""),
    );
    return;
  }
  const name =
    FILES.test(kind) || SOCKETS.test(kind)
      ? rest
      : address.includes("/") && kind === ""
        ? address
        : undefined;
  const path = name?.split(",", 1)[0];
  if (path !== undefined && path !== "") touch(literal(word.raw, path));
}
