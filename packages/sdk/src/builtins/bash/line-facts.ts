import type { ShellAnalysis, ShellCommand } from "../../protocol/index.ts";

/** Whether every command of a line only reads, whatever the disk holds. */
export function isReadOnlyLine(analysis: ShellAnalysis): boolean {
  return (
    analysis.opaque.length === 0 &&
    analysis.hosts.length === 0 &&
    analysis.commands.every((command) => command.readOnly && command.needs === undefined) &&
    analysis.paths.every(({ access }) => access !== "write" && access !== "remove") &&
    (analysis.blank || analysis.commands.length > 0)
  );
}

/** Whether a line may leave the shell in another directory: its neighbours must not run beside it. */
export function movesShell(analysis: ShellAnalysis): boolean {
  return analysis.commands.some(({ words: [word] }) => word?.value === "cd");
}

const DESTROYERS = new Set(["rm", "rmdir", "unlink", "shred", "dd", "wipefs", "truncate", "mkfs"]);

const GIT_DESTROYERS: Readonly<Record<string, RegExp>> = {
  push: /^(-[a-zA-Z]*f|--force|--force-with-lease(=.*)?|--delete|-d|--mirror|\+.*)$/,
  reset: /^--hard$/,
  clean: /^(-[a-zA-Z]*f|--force)/,
  branch: /^(-D|--delete|-d)$/,
  checkout: /^(-f|--force|--)$/,
  restore: /./,
  stash: /^(drop|clear)$/,
};

/** Whether a line holds a command whose effect cannot be undone. For what people are shown; it decides nothing. */
export function isDestructiveLine(analysis: ShellAnalysis): boolean {
  return analysis.commands.some(destroys);
}

function destroys(command: ShellCommand): boolean {
  const [word, ...rest] = command.words.map(({ value }) => value);
  const name = word?.slice(word.lastIndexOf("/") + 1).toLowerCase();
  if (name === undefined) return false;
  if (DESTROYERS.has(name) || name.startsWith("mkfs.")) return true;
  if (name === "find") return rest.includes("-delete");
  if (name !== "git") return false;
  const verb = rest.findIndex((each) => each !== undefined && Object.hasOwn(GIT_DESTROYERS, each));
  const flag = GIT_DESTROYERS[rest[verb] ?? ""];
  return flag !== undefined && rest.slice(verb + 1).some((each) => each !== undefined && flag.test(each));
}
