import type { DecideCall } from "../../packages/sdk/src/permissions/index.ts";
import { plainContext, plainTool } from "../../packages/sdk/src/permissions/plain.ts";
import {
  type PathAccess,
  type PathResolution,
  type PermissionContext,
  type ResolvedTarget,
  type SourcedRule,
  type Target,
  withResolutions,
} from "../../packages/sdk/src/protocol/index.ts";

const START = "/home/dev/project";
const HOME = "/home/dev";

export function contextWith(rules: readonly SourcedRule[]): PermissionContext {
  return plainContext(START, HOME, { rules });
}

const BASH = plainTool("Bash");
const READ = plainTool("Read", { readOnly: true });
const EDIT = plainTool("Edit");

/** A line with what its targets are on a disk without links: looking at a disk is not what is measured. */
export function shellCall(line: string, targets: readonly Target[]): DecideCall {
  return { tool: BASH, input: { command: line }, targets: targets.map(resolved) };
}

export function fileCall(access: PathAccess, path: string): DecideCall {
  const target: ResolvedTarget = { kind: "path", access, path, resolutions: [resolution(path)] };
  return { tool: access === "read" ? READ : EDIT, input: { file_path: path }, targets: [target] };
}

export function serverCall(server: string, name: string): DecideCall {
  const full = plainTool(`mcp__${server}__${name}`, { source: "mcp", mcp: { server, tool: name } });
  return { tool: full, input: {}, targets: [{ kind: "mcp", server, tool: name }] };
}

function resolved(target: Target): ResolvedTarget {
  if (target.kind === "command") {
    return { kind: "command", analysis: target.analysis, command: target.command, repository: START };
  }
  if (target.kind !== "path") return target;
  const starts = target.unknown === true ? [] : (target.from ?? [""]);
  return withResolutions(
    target,
    starts.map((start) => resolution(placeOf(start, target.path))),
  );
}

function placeOf(start: string, path: string): string {
  return start === "" || path.startsWith("/") || path.startsWith("~") ? path : `${start}/${path}`;
}

function resolution(path: string): PathResolution {
  const given = absolute(path.startsWith("./") ? path.slice(2) : path);
  return { given, real: given, hops: [], exists: true, inside: given.startsWith(START) };
}

function absolute(path: string): string {
  if (path.startsWith("/")) return path;
  // Joined, so that it is one piece of text as a disk gives it.
  return path.startsWith("~") ? [HOME, path.slice(1)].join("") : [START, path].join("/");
}
