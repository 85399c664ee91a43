import { relative } from "node:path";

/** A path as results show it: relative to `cwd` where it lies below it, and always on one line. */
export function showPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  const isBelow = short !== "" && short !== ".." && !short.startsWith("../") && !short.startsWith("/");
  return showName(isBelow ? short : path);
}

/** A name with control characters is shown as a JSON string, so that it cannot pass for two lines or for markup. */
export function showName(name: string): string {
  return /\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/u.test(name) ? JSON.stringify(name) : name;
}
