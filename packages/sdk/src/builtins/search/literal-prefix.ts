export interface SplitPattern {
  /** The directories that the pattern names literally, `""` when it starts with a wildcard. */
  readonly prefix: string;
  /** What is left, relative to the prefix. */
  readonly rest: string;
}

/** Splits a glob pattern before its first part with a wildcard; the last part always stays in `rest`. */
export function literalPrefix(pattern: string): SplitPattern {
  const parts = pattern.split("/");
  let end = 0;
  while (end < parts.length - 1 && isLiteral(parts[end] ?? "")) end += 1;
  const prefix = parts.slice(0, end).join("/");
  return {
    prefix: end === 0 ? "" : prefix === "" ? "/" : prefix,
    rest: parts.slice(end).join("/").replace(/^\/+/, ""),
  };
}

const isLiteral = (part: string): boolean => !/[*?[\]{}\\]/.test(part);

/** Whether some form of the pattern leaves the directory where its wildcards begin. */
export function leavesRoot(rest: string): boolean {
  return /(^|[/{,])\.\.($|[/},])/.test(rest);
}

/** A directory and what follows it, as one path that still says everything that was written. */
export function joinRaw(path: string | undefined, prefix: string): string {
  if (prefix.startsWith("/") || prefix === "~" || prefix.startsWith("~/")) return prefix;
  if (path === undefined || path === "") return prefix === "" ? "." : prefix;
  return prefix === "" ? path : `${path.replace(/\/+$/, "")}/${prefix}`;
}
