import { interpreterOf, isShell } from "./known/interpreters.ts";
import type { Input } from "./state.ts";
import { type Decoded, known, startOf, unknown } from "./words/decoded.ts";

/** What an interpreter is given to run. */
export interface GivenScript {
  /** Literal shell text to look at as a line of its own. */
  readonly line?: string;
  /** A file it runs. */
  readonly file?: Decoded;
  /** The program is not known before it runs. */
  readonly dynamic?: true;
  /** It reads its program from an input that is not known. */
  readonly fed?: true;
  /** Options of `shopt` are given to the shell. */
  readonly shopt?: true;
  /** Files of commands that it reads at its start. */
  readonly reads?: readonly Decoded[];
}

const STANDARD_INPUT = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;
/** Some other open file: what stands in it is not followed. */
const DESCRIPTOR = /^\/(?:dev|proc\/[^/]+)\/fd\/\d+$/;
const STARTS_WITH = /^--(?:rcfile|init-file)$/;
const SHELL_VALUED = /^(?:--rcfile|--init-file|-o|\+o|-O|\+O)$/;

/** What a shell or another interpreter would run. Undefined: the program is neither. */
export function scriptOf(
  name: string,
  words: readonly Decoded[],
  input: Input,
  underXargs: boolean,
): GivenScript | undefined {
  if (isShell(name)) return shellScript(words, input, underXargs);
  const interpreter = interpreterOf(name);
  if (interpreter === undefined) return undefined;
  const { script: scripts, valued } = interpreter;
  let runs: ReadonlySet<string> | undefined = interpreter.runs;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const text = known(word);
    if (text === undefined) {
      // Its start decides whether it can be an option.
      const start = startOf(word);
      if (start === "" || start.startsWith("-"))
        return { file: word, ...(isFed(input, underXargs) ? { fed: true } : {}) };
      return { file: word };
    }
    if (scripts.has(text)) return known(words[at + 1]) === undefined ? { dynamic: true } : {};
    const attached = [...scripts].find(
      (option) =>
        text.startsWith(`${option}=`) ||
        (/^-\w$/.test(option) &&
          text.startsWith("-") &&
          !text.startsWith("--") &&
          text.includes(option.slice(1)) &&
          text.length > 2),
    );
    if (attached !== undefined) {
      if (text.endsWith(attached.slice(1)) && known(words[at + 1]) === undefined) return { dynamic: true };
      return {};
    }
    if (valued.has(text)) {
      if (text === "-m") return {};
      at += 1;
      continue;
    }
    if (STANDARD_INPUT.test(text)) return isFed(input, underXargs) ? { fed: true } : {};
    if (DESCRIPTOR.test(text)) return { fed: true };
    if (text.startsWith("-")) {
      if (/^(?:-v|-V|--version|-h|--help)$/.test(text)) return {};
      continue;
    }
    // at, batch, crontab, ssh, parallel and databases read programs beside their operands.
    if (
      [
        "at",
        "batch",
        "psql",
        "mysql",
        "sqlite3",
        "ssh",
        "parallel",
        "dc",
        "m4",
        "ed",
        "ex",
        "vi",
        "vim",
        "gdb",
      ].includes(name)
    )
      break;
    // A sub-command: behind it stands the file, or nothing that it runs as one.
    if (runs?.has(text) === true) {
      runs = undefined;
      continue;
    }
    if (runs !== undefined && interpreter.others.has(text)) return {};
    return { file: word };
  }
  return isFed(input, underXargs) ? { fed: true } : {};
}

function isFed(input: Input, underXargs: boolean): boolean {
  return input.kind === "unknown" && !underXargs;
}

function shellScript(words: readonly Decoded[], input: Input, underXargs: boolean): GivenScript {
  let takesLine = false;
  let readsInput = false;
  let shopt = false;
  const reads: Decoded[] = [];
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const text = known(word);
    if (text === undefined) {
      const start = startOf(word);
      if (takesLine) return { dynamic: true };
      if (start === "" || /^[-+]/.test(start)) return { dynamic: true, file: word };
      return { file: word };
    }
    if (text === "--" || text === "-") {
      at += 1;
      break;
    }
    if (!/^[-+]/.test(text)) break;
    if (/^[-+]\w*O$/.test(text)) shopt = true;
    if (SHELL_VALUED.test(text)) {
      at += 1;
      if (STARTS_WITH.test(text)) reads.push(words[at] ?? unknown(text));
      if (words[at]?.single === false) return { dynamic: true };
      continue;
    }
    if (text.startsWith("--")) {
      // Neither shape of it takes a file behind `=`; one that did would be read all the same.
      if (/^--(?:rcfile|init-file)=/.test(text)) reads.push(unknown(text));
      if (text === "--command") takesLine = true;
      continue;
    }
    if (text.startsWith("-") && text.includes("c")) takesLine = true;
    if (text.startsWith("-") && text.includes("s")) readsInput = true;
    // `-eo pipefail`: the cluster's last letter takes the next word.
    if (/^[-+]\w*[oO]$/.test(text)) at += 1;
  }
  const operand = words[at];
  const more = { ...(shopt ? { shopt: true as const } : {}), ...(reads.length === 0 ? {} : { reads }) };
  if (!takesLine && DESCRIPTOR.test(known(operand) ?? "") && !STANDARD_INPUT.test(known(operand) ?? ""))
    return { fed: true };
  if (takesLine) {
    const line = known(operand);
    if (line !== undefined) return { line, ...more };
    return operand === undefined && !underXargs ? more : { dynamic: true, ...more };
  }
  if (operand !== undefined && !readsInput && !STANDARD_INPUT.test(known(operand) ?? ""))
    return { file: operand, ...more };
  if (input.kind === "literal") return { line: input.text, ...more };
  return isFed(input, underXargs) ? { fed: true, ...more } : more;
}
