import type { CommandTarget, ResolvedCommandTarget, Target } from "../protocol/index.ts";

/**
 * Puts the repository beside each command that needs one. It is looked up at most once, and only where some command
 * does: the shell stands in one place.
 */
export async function withRepository(
  targets: readonly Target[],
  find: () => Promise<string | undefined>,
): Promise<readonly (Target | ResolvedCommandTarget)[]> {
  if (!targets.some(needsRepository)) return targets;
  const repository = await find();
  return targets.map((target): Target | ResolvedCommandTarget => {
    if (!needsRepository(target)) return target;
    const { kind, analysis, command } = target;
    return { kind, analysis, command, ...(repository === undefined ? {} : { repository }) };
  });
}

function needsRepository(target: Target): target is CommandTarget {
  return target.kind === "command" && target.analysis.commands[target.command]?.needs === "git-trusted";
}
