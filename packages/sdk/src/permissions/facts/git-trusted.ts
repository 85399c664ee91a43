import type { ShellCommand } from "../../protocol/index.ts";
import type { Facts } from "./facts.ts";

/** The person trusts the workspace, and what git will take is the repository whose `.git` is at the project root. */
export function isTrustedGit({ call, context }: Facts, command: ShellCommand): boolean {
  if (!context.trusted) return false;
  const root = context.realForms?.get(context.projectRoot) ?? context.projectRoot;
  return call.targets.some(
    (target) =>
      target.kind === "command" &&
      target.analysis.commands[target.command] === command &&
      target.repository === root,
  );
}
