import type { CommandDraft } from "./draft.ts";
import { childState, type Inspected } from "./inspected.ts";
import { INTERPRETERS, SHELLS } from "./known/interpreters.ts";
import { addPath } from "./paths.ts";
import { scriptOf } from "./scripts.ts";
import { clobber, type State, UNKNOWN_INPUT } from "./state.ts";
import type { Walk } from "./walk-types.ts";
import { type Decoded, known } from "./words/decoded.ts";

/** The programs that run scripts, without those that have a version in their name. */
export const SCRIPT_RUNNERS: readonly string[] = [
  ...["eval", "trap", "source", "."],
  ...SHELLS,
  ...INTERPRETERS.keys(),
];

/** Scripts of shells and interpreters, `eval`, `source` and `trap`. Returns true where the program is one of them. */
export function inspectScript(
  command: Inspected,
  name: string,
  rest: readonly Decoded[],
  walk: Walk,
  state: State,
  draft: CommandDraft,
): boolean {
  if (name === "eval" || name === "trap") {
    const values = rest.map((word) => known(word));
    const own = values[0] === "--" ? values.slice(1) : values;
    const text = name === "eval" ? (own.includes(undefined) ? undefined : own.join(" ")) : own[0];
    if (
      name === "trap" &&
      (own.length < 2 || own[0] === "-" || own[0] === "" || own[0] === "-p" || own[0] === "-l") &&
      own[0] !== undefined
    )
      return true;
    if (text === undefined) {
      if (rest.length > 0) walk.block("dynamic-script", draft.text);
    } else if (name === "eval") walk.innerLine(text, childState(command, state), draft.index);
    else {
      // It runs where the shell is by then, with the input and values of that time.
      const first = walk.paths.length;
      const later: State = { ...clobber(childState(command, state)), input: UNKNOWN_INPUT };
      walk.innerLine(text, later, draft.index);
      walk.late.push([first, walk.paths.length]);
    }
    return true;
  }
  if (name === "source" || name === ".") {
    const file = rest.find((word) => known(word) !== "--" && known(word) !== "-p");
    const value = known(file);
    if (value === undefined || /^\/dev\/(?:stdin|fd\/)|^\/proc\/self\/fd\//.test(value))
      walk.block("dynamic-source", draft.text);
    return true;
  }
  const script = scriptOf(name, rest, state.input, command.underXargs);
  if (script === undefined) return false;
  if (script.dynamic === true) walk.block("dynamic-script", draft.text);
  if (script.fed === true) walk.block("fed-interpreter", draft.text);
  if (script.file !== undefined) {
    addPath(walk, state, script.file, { access: "read", by: "operand", command: draft.index });
    if (script.file.value === undefined && !command.underXargs) walk.block("dynamic-script", draft.text);
  }
  for (const file of script.reads ?? [])
    addPath(walk, state, file, { access: "read", by: "operand", command: draft.index });
  if (script.line !== undefined) {
    // Words of their own (`and rm x`, `repeat 2 rm x`) stand before commands there.
    if (/^(?:fish|t?csh)$/.test(name) || (name === "zsh" && !isPlainForZsh(script.line)))
      walk.block("parse", script.line);
    const inner = childState(command, state);
    // With `-O lastpipe` and the like a line means something else.
    walk.innerLine(script.line, script.shopt === true ? clobber(inner) : inner, draft.index);
  }
  return true;
}

/**
 * Words of letters, digits and a few marks that mean nothing to any shell, joined by `&&`, `||`, `;` and `|`. Anything
 * more may be zsh's own: `=rm`, `*(e:…:)`, `repeat 2 rm x`, `- rm x`.
 */
function isPlainForZsh(line: string): boolean {
  return (
    /^[\w ./:@%+,\-'"&|;\n]*$/.test(line) &&
    !/(?:^|[\s;&|])['"]*(?:-|%.*|repeat|foreach|coproc|select|end)['"]*(?:$|[\s;&|])/.test(line)
  );
}
