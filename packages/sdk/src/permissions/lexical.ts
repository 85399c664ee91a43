import {
  type PathResolution,
  type PermissionContext,
  type ResolvedTarget,
  type Target,
  withResolutions,
} from "../protocol/index.ts";

type Places = Pick<PermissionContext, "startDirectory" | "projectRoot" | "home">;

/** A target as it would be on a disk where nothing is a link: by its text alone. */
export function lexicalTarget(target: Target, places: Places): ResolvedTarget {
  if (target.kind !== "path") return target;
  if (target.unknown) return withResolutions(target, []);
  const start = target.base === "repository" ? places.projectRoot : places.startDirectory;
  const path = target.glob ? literalStart(target.path) : target.path;
  const resolutions = (target.from ?? [""]).map((from) =>
    resolution(join(join(start, from, places), path, places), path, places),
  );
  return withResolutions(target, resolutions);
}

function resolution(given: string, path: string, { startDirectory }: Places): PathResolution {
  const inside = given === startDirectory || given.startsWith(`${startDirectory}/`) || startDirectory === "/";
  const directory = path.endsWith("/");
  return { given, real: given, hops: [], exists: true, inside, ...(directory ? { directory } : {}) };
}

function join(base: string, path: string, { home }: Places): string {
  const expanded = path === "~" || path.startsWith("~/") ? `${home}${path.slice(1)}` : path;
  return clean(expanded.startsWith("/") ? expanded : `${base}/${expanded}`);
}

function clean(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** The directories in front of the first wildcard. */
function literalStart(pattern: string): string {
  const parts = pattern.split("/");
  const wild = parts.findIndex((part) => /[*?[]/u.test(part.replace(/\\./gu, "")));
  const literal = (wild < 0 ? parts : parts.slice(0, wild)).join("/").replace(/\\(.)/gu, "$1");
  return literal === "" && pattern.startsWith("/") ? "/" : literal;
}
