import type { PathTarget, ShellAnalysis, ShellPath, Target } from "../protocol/index.ts";
import type { Writable } from "./links.ts";
import { isWhole } from "./places.ts";

/**
 * Everything a line touches, in the form that rules match: each command, each path, each host. A line without
 * commands gives one command target too, so that a blank or an opaque one is judged as the line it is.
 */
export function targetsOfLine(analysis: ShellAnalysis): Target[] {
  const { commands, paths, hosts } = analysis;
  const called = Math.max(commands.length, 1);
  // Made at its size: a list that is pushed to has room for 16 more.
  const targets: Target[] = new Array(called + paths.length + hosts.length);
  for (let at = 0; at < called; at += 1)
    targets[at] = { kind: "command", analysis, command: commands[at]?.index ?? 0 };
  let end = called;
  for (const path of paths) {
    targets[end] = pathTarget(path);
    end += 1;
  }
  for (const { host } of hosts) {
    targets[end] = host === undefined ? { kind: "host", via: "shell" } : { kind: "host", via: "shell", host };
    end += 1;
  }
  return targets;
}

/** A path whose directory is not known cannot be judged, unless it does not depend on it. */
function pathTarget(path: ShellPath): PathTarget {
  const { access, from, command, by } = path;
  if (from !== undefined && isPlain(path)) {
    // Most paths. Fields that are added later take a place of their own.
    return { kind: "path", access, path: path.path, from, shell: { command, by } };
  }
  const target: Writable<PathTarget> = { kind: "path", access, path: path.path };
  if (path.glob === true) target.glob = true;
  if (path.unknown === true || (from === undefined && !isWhole(path.path))) target.unknown = true;
  if (from !== undefined) target.from = from;
  if (path.recursive === true) target.recursive = true;
  if (path.base !== undefined) target.base = path.base;
  if (path.maybe !== undefined) target.maybe = path.maybe;
  if (path.links !== undefined) target.links = path.links;
  target.shell = { command, by };
  return target;
}

/** Nothing is told of it but where it is. */
function isPlain({ glob, unknown, recursive, base, maybe, links }: ShellPath): boolean {
  return (
    glob !== true &&
    unknown !== true &&
    recursive !== true &&
    base === undefined &&
    maybe === undefined &&
    links === undefined
  );
}
