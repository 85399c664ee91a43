import { spelled, spelledWithVariables } from "./characters.ts";
import type { Decoded } from "./decoded.ts";
import type { CommandDraft } from "./draft.ts";
import { GLOBAL_OPTIONS, WHOLE_TABLES } from "./known/global-options.ts";
import { MAX_OPTION_PLACES, MAX_UNKNOWN_FORMS } from "./limits.ts";
import type { Walk } from "./walk-types.ts";

/** A command word whose decoded text can stand in a form without meaning something else. */
const SAFE_COMMAND = /^[A-Za-z0-9_./:=@%+,~[\]{}!-]+$/;

function add(forms: Set<string>, text: string, walk: Walk): void {
  if (forms.has(text)) return;
  walk.formTextLeft -= text.length;
  if (walk.formTextLeft < 0) {
    walk.block("too-many", text);
    return;
  }
  forms.add(text);
}

export interface Written {
  /** Words as written, brace lists expanded. */
  readonly words: readonly string[];
  /** The command word without quotes, when it is known. */
  readonly program: string | undefined;
  readonly assignments: readonly string[];
  readonly onlyHarmless: boolean;
  /** What stands before the command and changes nothing: `time`. */
  readonly prefix: string;
}

/** The texts an allow rule may match. Arguments count as written. */
export function addAllowForms(draft: CommandDraft, written: Written, walk: Walk): void {
  const texts = new Set<string>();
  const words = written.words.join(" ");
  texts.add(words);
  const program = written.program;
  const first = written.words[0];
  if (program !== undefined && first !== undefined && program !== first && SAFE_COMMAND.test(program)) {
    texts.add([spelled(program), ...written.words.slice(1)].join(" "));
  }
  for (const text of texts) {
    const whole = [...written.assignments, text].join(" ").trim();
    add(draft.allowForms, whole, walk);
    if (written.onlyHarmless && text !== "") add(draft.allowForms, text, walk);
    if (written.prefix !== "") add(draft.allowForms, `${written.prefix} ${whole}`, walk);
  }
  for (const text of draft.allowForms) add(draft.denyForms, text, walk);
  if (words !== "") for (const text of texts) add(draft.denyForms, text, walk);
}

/** The texts that deny and ask rules are tried against, for one sequence of words. */
export function addDenyForms(draft: CommandDraft, words: readonly Decoded[], walk: Walk): void {
  const first = words[0];
  if (first === undefined) return;
  if (words.every((word) => word.value !== undefined && !word.glob)) {
    addKnown(draft, words, walk);
    return;
  }
  addUnknownForms(draft, words, walk);
  let end = words.length;
  while (end > 1 && mayVanish(words[end - 1])) end -= 1;
  if (end < words.length && words.slice(0, end).some((word) => word.value === undefined || word.glob)) {
    addUnknownForms(draft, words.slice(0, end), walk);
  }
  // Words that may vanish: what is left is tried as well.
  const rest = words.filter((word) => word.value !== undefined || word.single);
  if (rest.length < words.length && rest.every((word) => word.value !== undefined && !word.glob))
    addKnown(draft, rest, walk);
}

function mayVanish(word: Decoded | undefined): boolean {
  return word !== undefined && !word.single && (word.value === undefined || word.glob);
}

function addKnown(draft: CommandDraft, words: readonly Decoded[], walk: Walk): void {
  const first = words[0];
  if (first?.value === undefined) return;
  const rest = words.slice(1);
  const raws = rest.map((word) => word.raw).join(" ");
  const values = rest.map((word) => word.value ?? "").join(" ");
  const argumentTexts = new Set([raws, spelled(values), spelledWithVariables(values)]);
  const programs = programNames(spelled(first.value));
  for (const program of programs) {
    for (const text of argumentTexts)
      add(draft.denyForms, text === "" ? program : `${program} ${text}`, walk);
  }
  const name = lastName(programs);
  for (const tail of withoutGlobalOptions(name, rest, walk)) {
    add(draft.denyForms, [name, ...tail.map((word) => word.raw)].join(" "), walk);
    add(draft.denyForms, [name, ...tail.map((word) => spelled(word.value ?? ""))].join(" "), walk);
  }
}

const PLAIN_NAME = /^[a-z0-9_-]+$/;

function programNames(program: string): readonly string[] {
  if (PLAIN_NAME.test(program)) return [program];
  const names = new Set([program]);
  const base = program.slice(program.lastIndexOf("/") + 1);
  if (base !== "") names.add(base);
  for (const name of [...names]) names.add(name.toLowerCase());
  for (const name of [...names]) if (/\.exe$/i.test(name)) names.add(name.slice(0, -4));
  return [...names];
}

function lastName(names: readonly string[]): string {
  return names[names.length - 1] ?? "";
}

/** The words after the options that stand between a program and its sub-command, each way they may be read. */
export function withoutGlobalOptions(
  program: string,
  rest: readonly Decoded[],
  walk: Pick<Walk, "block">,
): readonly (readonly Decoded[])[] {
  const valued = GLOBAL_OPTIONS.get(program);
  if (valued === undefined) return [];
  const tails: (readonly Decoded[])[] = [];
  const pending = [0];
  const seen = new Set<number>();
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (seen.size >= MAX_OPTION_PLACES) {
      walk.block("too-many", program);
      break;
    }
    if (seen.has(at)) continue;
    seen.add(at);
    const text = rest[at]?.value;
    if (text === undefined || !/^[-+]/.test(text)) {
      if (at > 0 && at < rest.length) tails.push(rest.slice(at));
      continue;
    }
    if (valued.has(text)) pending.push(at + 2);
    else {
      pending.push(at + 1);
      // Where the table is not whole, the option may take the next word.
      if (!WHOLE_TABLES.has(program) && !text.includes("=")) pending.push(at + 2);
    }
  }
  return tails;
}

function addUnknownForms(draft: CommandDraft, words: readonly Decoded[], walk: Walk): void {
  pushForm(draft, toPieces(words), walk);
  const first = words[0];
  if (first?.value === undefined || first.glob) return;
  const names = programNames(spelled(first.value));
  for (const name of names) {
    if (name !== first.value)
      pushForm(draft, toPieces([{ ...first, pieces: [name] }, ...words.slice(1)]), walk);
  }
  const name = lastName(names);
  for (const tail of withoutGlobalOptions(name, words.slice(1), walk)) {
    pushForm(draft, toPieces([{ ...first, pieces: [name] }, ...tail]), walk);
  }
}

function pushForm(draft: CommandDraft, pieces: readonly string[], walk: Walk): void {
  const key = pieces.join("\u0000");
  for (const form of draft.unknownForms) if (form.pieces.join("\u0000") === key) return;
  if (draft.unknownForms.length < MAX_UNKNOWN_FORMS) draft.unknownForms.push({ pieces });
  else walk.block("too-many", draft.text);
}

/** The blank after a word that may vanish belongs to the gap, so that `git $x push` may be `git push`. */
function toPieces(words: readonly Decoded[]): readonly string[] {
  const out: string[] = [""];
  words.forEach((word, index) => {
    const vanishes = index > 0 && (words[index - 1]?.value === undefined || words[index - 1]?.glob === true);
    const separator = index === 0 || (vanishes && words[index - 1]?.single === false) ? "" : " ";
    word.pieces.forEach((piece, at) => {
      if (at > 0) out.push("");
      out[out.length - 1] += (at === 0 ? separator : "") + spelled(piece);
    });
  });
  return out;
}
