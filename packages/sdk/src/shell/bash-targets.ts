import type { PathTarget, ShellAnalysis, ShellPath, Target } from "../protocol/index.ts";
import type { Writable } from "./links.ts";
import { isWhole } from "./places.ts";

/**
 * Everything a line touches, in the form that rules match: each command, each path, each host. A line without
 * commands gives one command target too, so that a blank or an opaque one is judged as the line it is.
 */
export function targetsOfLine(analysis: ShellAnalysis): Target[] {
  const { commands, paths, hosts } = analysis;
  const targets: Target[] = [];
  for (const { index } of commands) targets.push({ kind: "command", analysis, command: index });
  if (targets.length === 0) targets.push({ kind: "command", analysis, command: 0 });
  for (const path of paths) targets.push(pathTarget(path));
  for (const { host } of hosts) {
    targets.push(host === undefined ? { kind: "host", via: "shell" } : { kind: "host", via: "shell", host });
  }
  return targets;
}

/** A path whose directory is not known cannot be judged, unless it does not depend on it. */
function pathTarget(path: ShellPath): PathTarget {
  const target: Writable<PathTarget> = { kind: "path", access: path.access, path: path.path };
  if (path.glob === true) target.glob = true;
  if (path.unknown === true || (path.from === undefined && !isWhole(path.path))) target.unknown = true;
  if (path.from !== undefined) target.from = path.from;
  if (path.recursive === true) target.recursive = true;
  if (path.base !== undefined) target.base = path.base;
  if (path.maybe !== undefined) target.maybe = path.maybe;
  if (path.links !== undefined) target.links = path.links;
  target.shell = { command: path.command, by: path.by };
  return target;
}
