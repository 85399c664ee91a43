import { type OpenEnded, openEnded } from "../../../shell/index.ts";
import { findingOf } from "../../policy/finding.ts";
import { hasOperator } from "../../rule/operators.ts";
import { NOTHING, type RuleCheck } from "../check.ts";
import { shellStart, wordsOf } from "../shell-text.ts";
import type { Subject } from "../subject.ts";

/** Tools that run any program at all. */
const SHELL_TOOLS: ReadonlySet<string> = new Set(["Bash", "PowerShell", "REPL", "Monitor"]);

const WHAT: Readonly<
  Record<OpenEnded, readonly [code: "interpreter" | "launcher" | "wrapper-allowed", what: string]>
> = {
  shell: ["interpreter", "a shell runs any script"],
  interpreter: ["interpreter", "an interpreter runs any script"],
  launcher: ["launcher", "it runs any other program"],
  wrapper: ["wrapper-allowed", "it covers the whole command as written, and so whatever is wrapped"],
};

/** By what an allow rule lets any program run, or undefined. */
export function runsAnything(subject: Subject): OpenEnded | "tool" | undefined {
  const { binds, family, specifier, plain, tool } = subject;
  if (binds) return undefined;
  if (specifier === undefined) return SHELL_TOOLS.has(tool) ? "tool" : undefined;
  if (family !== "bash" || hasOperator(plain)) return undefined;
  const { text, open } = shellStart(subject);
  return open ? openEnded(wordsOf(text)) : undefined;
}

/** Bare shells, interpreters, launchers and wrappers in allow. */
export const openEndedAllow: RuleCheck = (subject) => {
  const { rule, toolName } = subject;
  const how = runsAnything(subject);
  if (how === undefined) return NOTHING;
  if (how === "tool") {
    const fix = "Name the commands that are meant.";
    const message = `It allows every call of ${toolName}, opaque ones too, but for what deny and ask rules and safety checks stop.`;
    return [findingOf(rule, "allows-everything", message, { fix })];
  }
  const [code, what] = WHAT[how];
  const { text } = shellStart(subject);
  const fix =
    how === "wrapper"
      ? "Allow the commands that it wraps; common wrappers need no rule."
      : "Name what it may run, up to the script or program.";
  return [findingOf(rule, code, `\`${text} …\` is allowed with anything behind it, and ${what}.`, { fix })];
};

const REMOVERS: ReadonlySet<string> = new Set(
  "rm mv dd shred truncate unlink chmod chown mkfs fdisk kill killall pkill shutdown reboot crontab".split(
    " ",
  ),
);
const GIT_REMOVERS: ReadonlySet<string> = new Set(["reset", "clean", "push"]);

/** `Bash(rm:*)` in allow. */
export const destructiveAllow: RuleCheck = (subject) => {
  const { rule, binds, family, specifier, plain } = subject;
  if (binds || family !== "bash" || specifier === undefined || hasOperator(plain)) return NOTHING;
  const { text, open } = shellStart(subject);
  const [program = "", second] = wordsOf(text);
  const wide = open && (second === undefined || /^-\w+$/u.test(second));
  const isGit = open && program === "git" && second !== undefined && GIT_REMOVERS.has(second);
  if (!isGit && !(wide && REMOVERS.has(program))) return NOTHING;
  const message = `\`${text}\` removes or changes things, and this allows it with any operands but those that safety checks guard.`;
  return [findingOf(rule, "destructive", message)];
};
