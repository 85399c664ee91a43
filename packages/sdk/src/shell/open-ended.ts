import { interpreterOf, isShell } from "./known/interpreters.ts";
import { WRAPPERS, type WrapperEntry } from "./known/wrappers.ts";
import { globalOptionsOf } from "./sub-command.ts";

/** What makes the start of a command run anything that is put behind it. */
export type OpenEnded = "shell" | "interpreter" | "launcher" | "wrapper";

/** Programs whose first operand says which program they run: with it, a rule is about that one. */
const LAUNCHERS: ReadonlySet<string> = new Set(
  "xargs parallel npx bunx pnpx uvx make gmake just task awk gawk mawk nawk source . exec wsl".split(" "),
);

/** Programs that run others whatever their first operands are. */
const ALWAYS: ReadonlySet<string> = new Set("find fd eval trap ssh tmux screen nsenter expect".split(" "));

/** The sub-commands that run any program; a program named without one can do all of them. */
const BY_SUB_COMMAND: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    docker: "exec run compose",
    podman: "exec run compose",
    nerdctl: "exec run compose",
    "docker-compose": "exec run",
    kubectl: "exec run debug",
    oc: "exec run debug rsh",
  }).map(([name, subs]) => [name, new Set(subs.split(" "))]),
);

/** Runners: only these sub-commands run any program, and only as long as none is named. */
const RUNNERS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    npm: "exec x",
    pnpm: "exec dlx",
    yarn: "exec dlx",
    bun: "x",
    uv: "run tool",
    poetry: "run",
    pipenv: "run",
    conda: "run",
    mise: "exec x",
    op: "run",
    bundle: "exec",
    direnv: "exec",
  }).map(([name, subs]) => [name, new Set(subs.split(" "))]),
);

/**
 * Whether a command that starts with these words may run any program or script at all, and by what means.
 * Undefined for a start that settles what is run: `python3 tool.py`, `npx tsc`, `git`.
 *
 * @param words literal words; one that is not known is `*`.
 */
export function openEnded(words: readonly string[]): OpenEnded | undefined {
  const [first, ...rest] = words;
  if (first === undefined || first === "*") return undefined;
  // These print and run nothing.
  if (rest[0] === "--version" || rest[0] === "--help") return undefined;
  const name = baseOf(first);
  const wrapper = WRAPPERS.get(name);
  if (wrapper !== undefined && !LAUNCHERS.has(name)) return behindWrapper(wrapper, rest);
  if (isShell(name)) return namesScript(rest, SHELL_TEXT, NONE) ? undefined : "shell";
  if (ALWAYS.has(name)) return "launcher";
  const valued = globalOptionsOf(name)?.valued ?? NONE;
  const subs = BY_SUB_COMMAND.get(name);
  if (subs !== undefined) {
    const [sub, ...behind] = fromOperand(rest, valued);
    if (sub === "compose") return openEnded([`${name}-compose`, ...behind]);
    return sub === undefined || subs.has(sub) ? "launcher" : undefined;
  }
  const runs = RUNNERS.get(name);
  if (runs !== undefined) {
    const [sub, ...behind] = fromOperand(rest, valued);
    return sub !== undefined && runs.has(sub) && fromOperand(behind, NONE).length === 0
      ? "launcher"
      : undefined;
  }
  if (LAUNCHERS.has(name)) return launched(name, rest);
  const interpreter = interpreterOf(name);
  if (interpreter === undefined) return undefined;
  return namesScript(rest, interpreter.script, interpreter.valued) ? undefined : "interpreter";
}

const NONE: ReadonlySet<string> = new Set();
const SHELL_TEXT: ReadonlySet<string> = new Set(["-c", "-lc", "-ic", "-ec", "-xc"]);
const XARGS_VALUED: ReadonlySet<string> = new Set("-a -d -E -I -L -n -P -s".split(" "));

function baseOf(word: string): string {
  const start = Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1;
  return word
    .slice(start)
    .toLowerCase()
    .replace(/\.exe$/u, "");
}

/** The words from the first operand on: options, their values and unknown words are left out. */
function fromOperand(words: readonly string[], valued: ReadonlySet<string>): readonly string[] {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (valued.has(word)) at += 1;
    else if (word !== "*" && !word.startsWith("-")) return words.slice(at);
  }
  return [];
}

/** `xargs cat` is about `cat`, `npx tsc` about `tsc`. */
function launched(name: string, rest: readonly string[]): OpenEnded | undefined {
  const inner = fromOperand(rest, name === "xargs" ? XARGS_VALUED : NONE);
  const [operand] = inner;
  if (operand === undefined || operand === "/dev/stdin") return "launcher";
  return name === "xargs" || name === "exec" || name === "parallel" ? openEnded(inner) : undefined;
}

function behindWrapper(wrapper: WrapperEntry, rest: readonly string[]): OpenEnded | undefined {
  const short = [...(wrapper.valued ?? "")].map((letter) => `-${letter}`);
  const long = (wrapper.longValued ?? "").split(" ").map((name) => `--${name}`);
  const from = fromOperand(rest, new Set([...short, ...long])).slice(wrapper.skip ?? 0);
  const at = from.findIndex((word) => !/^\w+=/u.test(word));
  return at < 0 ? "wrapper" : openEnded(from.slice(at));
}

/** Whether a script is named, and none is given as text: what stands behind are its arguments. */
function namesScript(
  rest: readonly string[],
  textOptions: ReadonlySet<string>,
  valued: ReadonlySet<string>,
): boolean {
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? "";
    if (textOptions.has(word) || textOptions.has(word.toLowerCase())) return false;
    // A module is a script too.
    if (valued.has(word) && word !== "-m") at += 1;
    else if (word !== "*" && !word.startsWith("-")) return word !== "/dev/stdin";
  }
  return false;
}
