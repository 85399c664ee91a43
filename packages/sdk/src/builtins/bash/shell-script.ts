/**
 * The arguments that make bash run exactly `line`: no start-up files, no text around it.
 *
 * The line goes in as an argument of `eval`, so nothing in it can end a quotation or hide what
 * follows. On leaving the shell, by whatever way but `exec` or a trap of the line's own, its
 * directory is written to `cwdFile`. Its exit code is that of the line.
 *
 * @param isHeld the line runs once a line stands in the shell's input, and never where that ends without one.
 */
export function shellArguments(line: string, cwdFile: string, isHeld = false): string[] {
  const note = `{ builtin pwd -P; } >|${quoted(cwdFile)} 2>/dev/null`;
  const held = isHeld ? "builtin read -r __castellan_line || builtin exit 1; exec </dev/null; " : "";
  const script = `${held}__castellan_line=$1; set --; trap -- ${quoted(note)} EXIT; eval -- "$__castellan_line"`;
  return ["--noprofile", "--norc", "-c", script, "bash", line];
}

/** One word for the shell, whatever it holds. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const CHANGES_MEANING = new Set([
  "BASH_ENV",
  "ENV",
  "BASHOPTS",
  "SHELLOPTS",
  "POSIXLY_CORRECT",
  "CDPATH",
  "GLOBIGNORE",
  "IFS",
  "OLDPWD",
  "PROMPT_COMMAND",
  "PS4",
  "BASH_XTRACEFD",
]);

/** The children's environment without what would make a line mean something else than it was judged for. */
export function shellEnvironment(env: Readonly<Record<string, string>>, cwd: string): Record<string, string> {
  const kept = Object.entries(env).filter(
    ([name]) => !CHANGES_MEANING.has(name) && !name.startsWith("BASH_FUNC_"),
  );
  return { ...Object.fromEntries(kept), PWD: cwd };
}
