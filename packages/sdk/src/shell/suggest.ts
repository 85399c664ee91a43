import type { ShellCommand } from "../protocol/index.ts";
import { interpreterOf, isShell } from "./known/interpreters.ts";
import { WRAPPERS } from "./known/wrappers.ts";
import { SUB_COMMAND_PROGRAMS } from "./sub-command.ts";

const LAUNCHERS: ReadonlySet<string> = new Set(
  "xargs find parallel eval source . trap exec npx bunx pnpx uvx make gmake just awk gawk mawk sed dd tee ssh scp rsync docker-compose watch nc ncat socat curl wget rm rmdir unlink shred mkfs fdisk kill killall pkill chmod chown crontab at alias set shopt export declare unset enable bind hash".split(
    " ",
  ),
);
const RUNNERS: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun"]);
const PLAIN = /^[A-Za-z][A-Za-z0-9:._-]*$/;

/** True for programs that run whatever they are given: a rule for one would allow everything. */
export function isNeverSuggested(command: ShellCommand): boolean {
  if (command.bare || command.callsFunction === true) return true;
  const name = command.words[0]?.value;
  if (name === undefined || command.words[0]?.glob === true) return true;
  const last = name.slice(name.lastIndexOf("/") + 1);
  const base = last.toLowerCase();
  if (base !== last || base === "") return true;
  return isShell(base) || interpreterOf(base) !== undefined || WRAPPERS.has(base) || LAUNCHERS.has(base);
}

/**
 * The words that name what a program is asked to do: `git push`, `npm run test`, `docker compose up`.
 * Undefined where the program has no sub-commands, or its sub-command is not a plain word.
 */
export function subcommandPrefix(command: ShellCommand): string | undefined {
  if (isNeverSuggested(command)) return undefined;
  const [program, sub, third] = command.words.map((word) => (word.glob === true ? undefined : word.value));
  if (program === undefined || sub === undefined || !SUB_COMMAND_PROGRAMS.has(program) || !PLAIN.test(sub))
    return undefined;
  if (RUNNERS.has(program) && (sub === "exec" || sub === "dlx" || sub === "x")) return undefined;
  const deeper =
    (RUNNERS.has(program) && (sub === "run" || sub === "run-script")) ||
    /^(?:compose|remote|stash|worktree|submodule)$/.test(sub) ||
    ["aws", "gcloud", "az", "gh", "glab"].includes(program);
  if (!deeper)
    return sub === "run" && program !== "cargo" && program !== "go" ? undefined : `${program} ${sub}`;
  return third !== undefined && PLAIN.test(third) ? `${program} ${sub} ${third}` : undefined;
}
