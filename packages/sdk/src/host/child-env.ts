/** Programs that would wait for a person are told that nobody is there. */
const QUIET: Readonly<Record<string, string>> = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
  TERM: "dumb",
};

/**
 * The environment of every process that a tool starts: the program's own, pagers and editors
 * neutralised, then what `options.env` adds or (with `undefined`) takes away.
 */
export function childEnv(
  own: Readonly<Record<string, string | undefined>>,
  option: Readonly<Record<string, string | undefined>> | undefined,
): Readonly<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const [name, value] of [
    ...Object.entries(own),
    ...Object.entries(QUIET),
    ...Object.entries(option ?? {}),
  ]) {
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  return env;
}
