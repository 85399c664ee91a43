import type { ShellAnalysis, ShellPath, Target } from "../protocol/index.ts";
import { isWhole } from "./links.ts";

/**
 * Everything a line touches, in the form that rules match: each command, each path, each host. A line without
 * commands gives one command target too, so that a blank or an opaque one is judged as the line it is.
 */
export function targetsOfLine(analysis: ShellAnalysis): Target[] {
  const targets: Target[] = analysis.commands.map((command) => ({
    kind: "command",
    analysis,
    command: command.index,
  }));
  if (targets.length === 0) targets.push({ kind: "command", analysis, command: 0 });
  for (const path of analysis.paths) targets.push(pathTarget(path));
  for (const { host } of analysis.hosts) {
    targets.push({ kind: "host", via: "shell", ...(host === undefined ? {} : { host }) });
  }
  return targets;
}

/** A path whose directory is not known cannot be judged, unless it does not depend on it. */
function pathTarget(path: ShellPath): Target {
  const unknown = path.unknown === true || (path.from === undefined && !isWhole(path.path));
  return {
    kind: "path",
    access: path.access,
    path: path.path,
    ...(path.glob === true ? { glob: true as const } : {}),
    ...(unknown ? { unknown: true as const } : {}),
    ...(path.from === undefined ? {} : { from: path.from }),
    ...(path.recursive === true ? { recursive: true as const } : {}),
    ...(path.base === undefined ? {} : { base: path.base }),
    ...(path.maybe === undefined ? {} : { maybe: path.maybe }),
    ...(path.links === undefined ? {} : { links: path.links }),
    shell: { command: path.command, by: path.by },
  };
}
