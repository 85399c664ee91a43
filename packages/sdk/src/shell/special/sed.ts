import { readArguments } from "../options.ts";
import { compileProgram } from "../program.ts";
import { type Decoded, known } from "../words/decoded.ts";
import { type Judgement, judgementOf } from "./judgement.ts";
import { sedFiles } from "./sed-files.ts";
import { isPlainSedScript } from "./sed-script.ts";

const SED = compileProgram({
  flags: "nErszu",
  valued: "efl",
  long: "quiet silent regexp-extended separate null-data unbuffered posix",
  longValued: "expression file line-length",
  operands: "read",
});

/** `sed`: read-only without `-i`, and like an edit with it, when its script only prints, deletes or substitutes. */
export function judgeSed(words: readonly Decoded[]): Judgement {
  let inPlace = false;
  let suffix = false;
  const rest: Decoded[] = [];
  let ended = false;
  for (const word of words) {
    const text = known(word);
    if (text === "--") ended = true;
    if (!ended && text !== undefined && /^(?:-[nErszu]*i|--i(?:n(?:-[a-z]*)?)?(?:=|$))/.test(text)) {
      inPlace = true;
      const after = text.replace(/^--i[a-z-]*=?|^-[nErszu]*i/, "");
      if (after !== "") suffix = true;
    } else rest.push(word);
  }
  const given = readArguments(SED, rest);
  const scripts = given.options.filter((option) => option.name === "-e" || option.name === "--expression");
  const files = given.options.filter((option) => option.name === "-f" || option.name === "--file");
  const operands = [...given.operands];
  const programs = scripts.map((option) => option.value);
  if (scripts.length === 0 && files.length === 0 && !given.strange) programs.push(operands.shift());
  const texts = programs.map((program) => known(program));
  const plain = files.length === 0 && texts.every((text) => text !== undefined && isPlainSedScript(text));
  const literal = operands.every((word) => word.value !== undefined);
  const ok = given.sure && plain && !suffix && literal;
  return judgementOf({
    readOnly: ok && !inPlace,
    editLike: ok && inPlace && operands.length > 0 && operands.every((word) => !word.glob),
    paths: [
      ...programs.flatMap(sedFiles),
      ...(given.strange ? sedFiles(operands[0]) : []),
      ...files.flatMap((option) =>
        option.value === undefined ? [] : [{ access: "read" as const, word: option.value }],
      ),
      ...operands.map((word) => ({ access: inPlace ? ("write" as const) : ("read" as const), word })),
    ],
  });
}
