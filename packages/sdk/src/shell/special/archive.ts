import { type Decoded, known, literal, unknown } from "../decoded.ts";
import type { Judgement, TouchedPath } from "./judgement.ts";

/** `tar`: reads what it packs, writes its archive, and unpacks anything anywhere below where it stands. */
export function judgeTar(words: readonly Decoded[]): Judgement {
  const paths: TouchedPath[] = [];
  const all = words.map((word) => known(word) ?? "");
  const bundle = all[0] !== undefined && /^[a-zA-Z]+$/.test(all[0]) ? all[0] : "";
  const flags = bundle + all.filter((text) => /^-[a-zA-Z]/.test(text)).join("");
  const creates = /[cru]/.test(flags) || all.includes("--create");
  const extracts = /x/.test(flags) || all.includes("--extract") || all.includes("--get");
  words.forEach((word, index) => {
    const text = known(word);
    const before = all[index - 1] ?? "";
    if (index === 0 && bundle !== "") return;
    if (text === undefined) {
      paths.push({ access: creates ? "walk" : "read", word, recursive: true });
      return;
    }
    if (text.startsWith("-")) {
      const value = /^--(?:file|directory|files-from|exclude-from)=(.*)$/s.exec(text)?.[1];
      if (value !== undefined)
        paths.push({ access: creates ? "write" : "read", word: literal(word.raw, value) });
      return;
    }
    if (/^-[a-zA-Z]*f$|^--file$/.test(before) || (index === 1 && bundle.includes("f"))) {
      paths.push({ access: creates ? "write" : "read", word });
    } else if (/^-[a-zA-Z]*C$|^--directory$/.test(before)) {
      paths.push({ access: extracts ? "write" : "walk", word, recursive: true });
    } else if (creates) paths.push({ access: "walk", word, recursive: true });
  });
  if (extracts) paths.push({ access: "write", word: unknown("."), recursive: true });
  return extracts
    ? { readOnly: false, editLike: false, paths, links: "anywhere" }
    : { readOnly: false, editLike: false, paths };
}

/** `dd if=a of=b`. */
export function judgeDd(words: readonly Decoded[]): Judgement {
  const paths: TouchedPath[] = [];
  for (const word of words) {
    const start = word.pieces[0] ?? "";
    const text = known(word);
    const access = start.startsWith("if=")
      ? "read"
      : start.startsWith("of=") || start === ""
        ? "write"
        : undefined;
    if (access === undefined) continue;
    paths.push({ access, word: text === undefined ? unknown(word.raw) : literal(word.raw, text.slice(3)) });
  }
  return { readOnly: false, editLike: false, paths };
}
